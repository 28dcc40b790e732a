/** The power state of an instance `g` whose host is `n` with the survey `s`: unknown while it does not answer. */
export const SHOWN_POWER = `case when s.answered and n.status not in ('fenced', 'lost')
  then coalesce(g.state, 'unknown') else 'unknown' end`

/** The last observation of an instance `i` on its recorded host; null while that host was never surveyed. */
const POWER_JSON = `(select json_build_object('host', s.host_id, 'state', ${SHOWN_POWER}, 'reason', g.reason, 'last', g.state,
    'since', ms(g.since), 'observedAt', ms(s.answered_at), 'current', coalesce(s.answered_at > i.updated_at, false),
    'ranBefore', coalesce(g.ran_before, true))
  from host_survey s join host n on n.id = s.host_id
  left join guest_power g on g.host_id = s.host_id and g.instance_id = i.id
  where s.host_id = i.host_id)`

/** An instance `i` as one JSON object: the engine's own form. */
export const INSTANCE_JSON = `json_build_object(
  'id', i.id, 'name', i.name, 'project', i.project, 'flavor', i.flavor, 'image', i.image, 'host', i.host_id,
  'vmState', i.vm_state, 'zone', i.zone, 'group', i.group_id, 'generation', i.generation,
  'powerRequest', i.power_request, 'power', ${POWER_JSON})`
