/** An instance \`i\` as one JSON object: the engine's own form. */
export const INSTANCE_JSON = `json_build_object(
  'id', i.id, 'name', i.name, 'project', i.project, 'flavor', i.flavor, 'image', i.image, 'host', i.host_id,
  'vmState', i.vm_state, 'zone', i.zone, 'group', i.group_id, 'generation', i.generation)`
