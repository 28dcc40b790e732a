// One statement answers whole hosts: generations, what they are made of and all that is held there come from one
// snapshot, so a claim decided on the answer and guarded by its generations can never rest on two different moments.
// Rows inside are arrays, not objects: at 20 000 instances the key names would be most of what is sent and parsed.

// The host's own tree, and shared storage and the like: providers of other trees that serve an aggregate of this one.
const OF_HOST = `(
  select x.id from resource_provider x where x.root_id = h.id
  union
  select s.provider_id from resource_provider hp
  join provider_aggregate ha on ha.provider_id = hp.id
  join provider_aggregate sa on sa.aggregate_id = ha.aggregate_id
  join provider_trait s on s.provider_id = sa.provider_id and s.trait = 'MISC_SHARES_VIA_AGGREGATE'
  where hp.root_id = h.id
) o`

/** One provider \`p\`, without its usage. */
export const PROVIDER_JSON = `json_build_array(p.id, p.name, p.parent_id, p.generation, p.cell,
    (select json_agg(json_build_array(i.resource_class, i.total, i.reserved, i.min_unit, i.max_unit, i.step_size,
       i.allocation_ratio_milli) order by i.resource_class)
     from inventory i where i.provider_id = p.id),
    (select json_agg(t.trait order by t.trait) from provider_trait t where t.provider_id = p.id),
    (select json_agg(coalesce(g.name, g.id::text) order by g.name, g.id)
       from provider_aggregate pa join aggregate g on g.id = pa.aggregate_id where pa.provider_id = p.id))`

/** One provider \`p\` with all that is held of it. */
export const SHARING_JSON = `json_build_array(${PROVIDER_JSON}, (
  select json_agg(json_build_array(a.provider_id, a.resource_class, a.amount)) from allocation a
  where a.provider_id = p.id))`

const PROVIDERS = `(
  select json_agg(${PROVIDER_JSON} order by p.root_id <> h.id, p.parent_id is not null, p.name)
  from ${OF_HOST} join resource_provider p on p.id = o.id
)`

const CELLS = `(
  select json_agg(json_build_array(n.cell, n.socket, n.shared_cpus, n.dedicated_cpus, n.siblings, n.memory_mib, n.pages,
    n.network, n.distances) order by n.cell)
  from numa_cell n where n.host_id = h.id
)`

const DEVICES = `(
  select json_agg(json_build_array(u.name, u.kind, u.cell, p.name, u.resource_class, u.provider, u.pci, u.mdev_type,
    u.size_mib, u.state) order by u.id)
  from unit u left join unit p on p.id = u.parent_id where u.host_id = h.id and u.kind <> 'cpu'
)`

const HOLDINGS = `(
  select json_agg(json_build_array(k.id, k.consumer_id, k.consumer_kind, k.instance_id,
    (select json_agg(json_build_array(a.provider_id, a.resource_class, a.amount) order by a.provider_id, a.resource_class)
       from allocation a where a.consumer_id = k.consumer_id),
    (select json_agg(json_build_array(c.guest_cell, c.host_cell, c.memory_mib, c.page_kib, c.shared_vcpus, c.pins,
       c.reserved_cpus, c.cpu_policy, c.thread_policy, c.reserved_shares_core) order by c.guest_cell)
       from claim_cell c where c.claim_id = k.id),
    (select json_agg(json_build_array(u.name, u.kind, d.use, d.request_id) order by d.unit_id)
       from unit_holding d join unit u on u.id = d.unit_id where d.claim_id = k.id)
  ) order by k.taken_at, k.id)
  from claim k where k.host_id = h.id
)`

// Amounts held of these providers by whoever has no claim on the host: guests of other hosts on shared storage, and
// consumers that came over the Placement API.
const OTHERS = `(
  select json_agg(json_build_array(e.provider_id, e.resource_class, e.amount)) from (
    select a.provider_id, a.resource_class, sum(a.amount) as amount
    from ${OF_HOST} join allocation a on a.provider_id = o.id
    where not exists (select 1 from claim k where k.consumer_id = a.consumer_id and k.host_id = h.id)
    group by a.provider_id, a.resource_class) e
)`

/** One host \`h\` as a JSON array; \`host-read.ts\` decodes it. */
export const HOST_JSON = `json_build_array(h.id, h.name, h.truth, h.admission, h.zone, h.cpu, h.layout, h.driver,
  ${PROVIDERS}, ${CELLS}, ${DEVICES}, ${HOLDINGS}, ${OTHERS},
  (select json_agg(distinct r.instance_id) from host_remain r where r.host_id = h.id), h.memory)`
