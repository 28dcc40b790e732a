import type { ProcedurePath } from '../router'

// REST below /api/v1: one row per procedure, with its path or the reason why it has none. A new procedure does not
// compile until it has a row.

export const REST_PATH = '/api/v1'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface Route {
  readonly method: Method
  /** Below `REST_PATH`; a name in braces is a field of the procedure's input. */
  readonly path: string
  /** One sentence for the documents. */
  readonly does: string
}

export interface NotInRest {
  readonly reason: string
}

const get = (path: string, does: string): Route => ({ method: 'GET', path, does })
const post = (path: string, does: string): Route => ({ method: 'POST', path, does })
const put = (path: string, does: string): Route => ({ method: 'PUT', path, does })
const remove = (path: string, does: string): Route => ({ method: 'DELETE', path, does })

const OWN_VIEWS: NotInRest = { reason: 'Saved views belong to a user; a token has none.' }

const OWN_ACCOUNT: NotInRest = { reason: 'Passwords and sessions belong to a user; a token has none.' }

export const ROUTES = {
  'session.me': get('/me', 'Shows the token of the request and its role.'),
  'session.account': OWN_ACCOUNT,
  'session.end': OWN_ACCOUNT,
  'session.removePasskey': OWN_ACCOUNT,
  'overview.get': get('/overview', 'Shows what needs attention, active migrations and capacity.'),
  'search.find': get('/search', 'Finds hosts, instances and migrations by a part of a name or id.'),

  'host.list': get('/hosts', 'Lists hosts.'),
  'host.counts': get('/hosts/counts', 'Counts hosts by status.'),
  'host.kinds': get('/hosts/kinds', 'Lists the kinds of hosts.'),
  'host.zones': get('/hosts/zones', 'Lists the zones that hosts are in.'),
  'host.byId': get('/hosts/{id}', 'Shows a host.'),
  'host.map': get('/hosts/{id}/map', 'Shows NUMA nodes, CPUs, huge pages and devices of a host, and who holds each.'),
  'host.claims': get('/hosts/{id}/claims', 'Lists what is claimed on a host.'),
  'host.consequences': get('/hosts/{id}/consequences', 'Shows the effects of changing the status of a host.'),
  'host.setStatus': put('/hosts/{id}/status', 'Marks a host as up, down, fenced or permanently lost.'),
  'host.fence': post('/hosts/{id}/fence', 'Powers a host off through its fencing device and verifies that it is off.'),
  'host.setMemory': put('/hosts/{id}/memory-policy', 'Sets the memory policy of a host.'),
  'host.setScheduling': put('/hosts/{id}/scheduling', 'Enables or disables scheduling to a host.'),
  'advice.host': get('/hosts/{id}/advice', 'Shows which actions on a host are safe, with evidence.'),
  'power.returned': get('/hosts/{host}/stopped-instances', 'Lists instances that stopped when their host failed.'),
  'power.startReturned': post(
    '/hosts/{host}/stopped-instances/start',
    'Starts instances that stopped when their host failed.',
  ),
  'power.leftover': get('/hosts/{host}/leftovers/{instance}', 'Shows the leftovers of an instance on a host.'),
  'power.removeLeftover': remove(
    '/hosts/{host}/leftovers/{instance}',
    'Removes the leftovers of an instance from a host.',
  ),
  'power.adopt': post('/hosts/{host}/domains/{instance}/adopt', 'Adopts an unknown domain as an instance.'),
  'power.setRule': put('/hosts/{host}/power-rule', 'Sets whether stopped instances start when the host returns.'),
  'past.changes': get('/hosts/{host}/changes', 'Lists the changes of a host.'),
  'layout.plan': get('/hosts/{host}/layout', 'Shows what converting a host to nested providers would do.'),
  'layout.convert': post('/hosts/{host}/layout', 'Converts a host to nested providers.'),
  'run.evacuation': get('/hosts/{host}/evacuation', 'Shows the steps of evacuating a host and what is still missing.'),
  'run.evacuationPlan': get(
    '/hosts/{host}/evacuation/plan',
    'Plans the evacuation of a host without storing the plan.',
  ),

  'instance.list': get('/instances', 'Lists instances.'),
  'instance.byId': get('/instances/{id}', 'Shows an instance and its claims.'),
  'instance.build': post('/instances', 'Builds an instance.'),
  'instance.delete': remove('/instances/{id}', 'Deletes an instance.'),
  'power.request': post('/power-actions', 'Starts, stops, reboots, pauses or resumes instances.'),

  'migration.list': get('/migrations', 'Lists migrations.'),
  'migration.counts': get('/migrations/counts', 'Counts migrations in flight, waiting and overdue.'),
  'migration.stepTimes': get('/migrations/step-times', 'Shows how long each step usually takes.'),
  'migration.consequences': get('/migrations/consequences', 'Shows the effects of an action before it is requested.'),
  'migration.byId': get('/migrations/{id}', 'Shows a migration: steps, claims, resource mapping.'),
  'migration.facts': get('/migrations/{id}/facts', 'Shows what records, source and target report, with ages.'),
  'migration.limitTransfer': put(
    '/migrations/{id}/transfer-limits',
    'Limits bandwidth and downtime of a live migration.',
  ),
  'migration.requestAction': post('/migrations/actions', 'Requests abort, confirm, revert, force-complete or retry.'),
  'advice.migration': get('/migrations/{id}/advice', 'Shows which actions on a migration are safe, with evidence.'),
  'migrate.measureMemory': post(
    '/instances/{instance}/memory-measurements',
    'Measures how fast an instance dirties its memory.',
  ),
  'migrate.start': post('/migrations', 'Starts a migration.'),
  'migrate.explain': get('/explain/migrations', 'Shows for every host whether the instance fits, and why not.'),
  'migrate.plan': get('/explain/claims', 'Shows the claim that would be made on one host.'),

  'explain.get': get('/explain', 'Shows which rules refuse a flavor or shape, host by host.'),
  'explain.nearest': get('/explain/nearest', 'Finds the smallest change that makes a flavor or shape fit.'),
  'explain.trees': get('/explain/trees', 'Shows in which provider trees of other clients a flavor or shape fits.'),
  'explain.host': get('/explain/hosts/{host}', 'Shows which rules refuse a flavor or shape on one host.'),

  'capacity.get': get('/capacity', 'Shows capacity by resource class.'),
  'capacity.flavors': get('/capacity/flavors', 'Shows how many more instances of each flavor fit.'),
  'capacity.fitCount': get('/capacity/fit-count', 'Shows how many more instances of a flavor or shape fit.'),
  'capacity.largest': get('/capacity/largest', 'Shows the largest shape that fits on one host.'),
  'ledger.counts': get('/claims/counts', 'Counts claims.'),
  'ledger.list': get('/claims', 'Lists allocations by consumer and provider, with generations.'),
  'consumer.foreign': get('/consumers/{id}', 'Shows a consumer of another client of the Placement API.'),
  'consumer.release': post('/consumers/{id}/release', 'Releases the allocations of a consumer of another client.'),
  'device.kinds': get('/devices/kinds', 'Lists kinds of devices.'),
  'device.list': get('/devices', 'Lists devices and who holds them.'),
  'device.byUnit': get('/hosts/{host}/units/{unit}', 'Shows a CPU or device of a host and its history.'),
  'provider.trees': get('/providers', 'Lists provider trees.'),
  'provider.foreign': get(
    '/provider-summary',
    'Summarizes provider trees managed by other clients of the Placement API.',
  ),
  'provider.tree': get('/providers/{id}', 'Shows a provider tree.'),
  'storage.list': get('/storages', 'Lists shared storage.'),
  'storage.create': post('/storages', 'Creates shared storage.'),
  'storage.join': put('/storages/{storage}/hosts/{host}', 'Joins a host to shared storage.'),
  'storage.joinNew': post('/hosts/{host}/storages', 'Creates shared storage and joins a host to it.'),
  'storage.leave': remove('/storages/{storage}/hosts/{host}', 'Removes a host from shared storage.'),

  'alarm.list': get('/alarms', 'Lists open alarms, then those that ended last.'),
  'alarm.counts': get('/alarms/counts', 'Counts open alarms that nobody has acknowledged.'),
  'alarm.deliveries': get('/alarms/deliveries', 'Lists the messages sent about alarms, with their results.'),
  'alarm.acknowledge': post('/alarms/acknowledge', 'Acknowledges alarms.'),
  'alarm.mute': post('/alarms/mutes', 'Stops sending alarms of a kind, or about one subject, for some hours.'),
  'alarm.unmute': remove('/alarms/mutes/{id}', 'Removes a mute.'),
  'alarm.test': post('/alarms/test', 'Sends a test message.'),

  'finding.list': get('/findings', 'Lists findings of the audit.'),
  'finding.status': get('/findings/status', 'Shows when the last audit ran and what it found.'),
  'finding.rules': get('/findings/rules', 'Lists the settings of automatic repair by kind of finding.'),
  'finding.setRule': put('/findings/rules/{kind}', 'Turns automatic repair on or off for a kind of finding.'),
  'finding.byId': get('/findings/{id}', 'Shows a finding with its evidence.'),
  'finding.audit': post('/audits', 'Audits a host or everything now.'),
  'finding.drift': get('/drift', 'Compares records, allocations and hypervisor.'),
  'finding.deviceDrift': get('/drift/devices', 'Compares devices in records, allocations and hypervisor.'),
  'heal.list': get('/repairs', 'Lists repairs.'),
  'heal.plan': post('/repairs', 'Plans a repair of findings.'),
  'heal.byId': get('/repairs/{id}', 'Shows a repair as a diff.'),
  'heal.applyParts': post('/repairs/{id}/apply', 'Applies parts of a repair.'),
  'heal.undo': post('/repairs/{id}/undo', 'Plans the undo of a repair.'),
  'proposal.list': get('/proposals', 'Lists requests awaiting approval by a second person.'),
  'proposal.create': post('/proposals', 'Requests approval for a change of host status.'),
  'proposal.decide': { reason: 'An approval comes from a second person; a token does not identify one.' },

  'run.list': get('/runs', 'Lists drains and evacuations.'),
  'run.byId': get('/runs/{id}', 'Shows a drain or an evacuation.'),
  'run.plan': post('/runs', 'Plans a drain or an evacuation.'),
  'run.start': post('/runs/{id}/start', 'Starts a planned drain or evacuation.'),
  'run.control': post('/runs/{id}/actions', 'Pauses, resumes, stops or replans a drain or an evacuation.'),
  'run.controlMigration': post(
    '/runs/{id}/migrations/{n}/actions',
    'Skips, retries or prioritizes one migration of a drain or an evacuation.',
  ),

  'layout.list': get('/layout', 'Shows the provider layout of every host.'),
  'layout.dryRun': post('/layout/dry-run', 'Plans the conversion of every host.'),
  'layout.startRollout': post('/layout/rollouts', 'Starts a rollout of nested providers.'),
  'layout.control': post('/layout/rollouts/{wave}/actions', 'Pauses, resumes or stops a rollout.'),

  'past.range': get('/past', 'Shows how far back past states are recorded.'),
  'past.hosts': get('/past/hosts', 'Lists hosts as of a past time.'),
  'past.map': get('/past/hosts/{id}/map', 'Shows the map of a host as of a past time.'),
  'past.migrations': get('/past/migrations', 'Lists migrations as of a past time.'),
  'event.list': get('/events', 'Lists events, newest first.'),
  'event.since': get('/events/since', 'Lists events after a given one; poll it to follow changes.'),
  'event.stream': { reason: 'A stream of server-sent events; programs poll /events/since.' },
  'task.list': get('/tasks', 'Lists tasks.'),
  'auditLog.list': get('/audit-log', 'Lists entries of the audit log.'),
  'auditLog.sealed': get('/audit-log/seal', 'Shows the newest seal of the audit log.'),
  'bundle.create': get('/bundle', 'Creates the support bundle of a migration or a host.'),

  'connection.files': get('/connections/files', 'Lists sockets, certificates and keys for connecting a host.'),
  'connection.probe': post('/connections/probe', 'Probes a host without adding it.'),
  'connection.add': post('/connections', 'Adds a host.'),
  'cloud.list': get('/clouds', 'Lists watched OpenStack clouds.'),
  'cloud.choices': post('/clouds/choices', 'Lists the clouds in a clouds.yaml without storing it.'),
  'cloud.probe': post('/clouds/probe', 'Probes a cloud without adding it.'),
  'cloud.add': post('/clouds', 'Adds a cloud.'),
  'cloud.byId': get('/clouds/{id}', 'Shows a cloud.'),
  'cloud.hosts': get('/clouds/{id}/hosts', 'Lists compute services of a cloud.'),
  'cloud.host': get('/clouds/{id}/hosts/{host}', 'Shows a host of a cloud, with the map that its libvirt reports.'),
  'cloud.drift': get('/clouds/{id}/drift', 'Compares Nova, Placement and libvirt for each instance.'),
  'cloud.instances': get('/clouds/{id}/instances', 'Lists instances of a cloud.'),
  'cloud.migrations': get('/clouds/{id}/migrations', 'Lists migrations of a cloud.'),
  'cloud.findings': get('/clouds/{id}/findings', 'Lists findings of a cloud.'),
  'cloud.finding': get('/clouds/{id}/findings/{finding}', 'Shows a finding of a cloud.'),
  'cloud.plan': post('/clouds/{id}/repairs/plan', 'Plans repairs of a cloud; nothing is stored or sent.'),
  'cloud.script': post('/clouds/{id}/repairs/script', 'Exports repairs of a cloud as a shell script.'),
  'cloud.repair': post(
    '/clouds/{id}/findings/{finding}/repair',
    'Applies the repair for a finding of a cloud, or requests its approval by a second person.',
  ),
  'cloud.change': put('/clouds/{id}', 'Starts or stops watching a cloud, and sets whether actions are allowed there.'),
  'cloud.remove': remove('/clouds/{id}', 'Removes a cloud from Berth.'),
  'cloudAction.latest': get('/clouds/{id}/actions', 'Lists requested actions, newest first.'),
  'cloudAction.offers': get(
    '/clouds/{id}/offers/{kind}/{subject}',
    'Lists actions for an instance, a migration or a host, with the reason where one is unavailable.',
  ),
  'cloudAction.explain': post(
    '/clouds/{id}/actions/explain',
    'Shows the call and the effects of an action; nothing is sent.',
  ),
  'cloudAction.request': post('/clouds/{id}/actions', 'Sends a previously shown call to the cloud.'),
  'cloudDrain.ofHost': get('/clouds/{id}/hosts/{host}/drain', 'Shows the progress of draining a host.'),
  'cloudDrain.plan': post('/clouds/{id}/hosts/{host}/drain/plan', 'Plans the drain of a host; nothing is sent.'),
  'cloudDrain.start': post('/clouds/{id}/hosts/{host}/drain', 'Drains a host through Nova.'),
  'cloudDrain.stop': remove('/clouds/{id}/hosts/{host}/drain', 'Stops a drain; active migrations continue.'),
  'cloudAction.fence': put('/clouds/{id}/hosts/{host}/fence', 'Marks a host as fenced or as not fenced.'),

  'flavor.list': get('/flavors', 'Lists flavors.'),
  'image.list': get('/images', 'Lists images.'),
  'group.list': get('/groups', 'Lists server groups.'),
  'catalog.list': get('/catalog', 'Lists flavors, server groups and PCI aliases for editing.'),
  'catalog.setFlavor': put('/catalog/flavor', 'Creates, changes or deletes a flavor.'),
  'catalog.setGroup': put('/catalog/group', 'Creates, changes or deletes a server group.'),
  'catalog.setAlias': put('/catalog/alias', 'Creates, changes or deletes a PCI alias.'),
  'setting.rules': get('/settings/rules', 'Shows the settings of scheduling and migrations.'),
  'setting.setRules': put('/settings/rules', 'Changes the settings of scheduling and migrations.'),
  'setting.server': get('/settings/server', 'Shows the startup settings of this server.'),
  'simulator.fault': post('/simulator/faults', 'Injects a fault into the simulated fleet.'),

  'user.rights': get('/rights', 'Lists what each role may do.'),
  'user.scopes': get('/rights/scopes', 'Lists zones, hosts and clouds for which a role can be granted.'),
  'user.list': get('/users', 'Lists users.'),
  'user.create': post('/users', 'Creates a user.'),
  'user.setRole': put('/users/{id}/role', 'Sets the role of a user.'),
  'user.setGrants': put('/users/{id}/grants', 'Sets the roles of a user in parts of the fleet.'),
  'user.setPassword': put('/users/{id}/password', 'Sets the password of a user.'),
  'user.resetTwoFactor': post('/users/{id}/two-factor/reset', 'Resets the two-factor sign-in of a user.'),
  'user.remove': remove('/users/{id}', 'Removes a user, and revokes the tokens that act for it.'),
  'user.sessions': get('/users/{id}/sessions', 'Lists sessions of a user.'),
  'user.endSessions': post('/users/{id}/sessions/end', 'Ends sessions of a user.'),
  'token.list': get('/tokens', 'Lists tokens.'),
  'token.create': post('/tokens', 'Creates a token; it is shown once.'),
  'token.revoke': remove('/tokens/{name}', 'Revokes a token.'),
  'view.list': OWN_VIEWS,
  'view.save': OWN_VIEWS,
  'view.remove': OWN_VIEWS,
} as const satisfies Record<ProcedurePath, Route | NotInRest>

/** Procedures that REST has. */
export type RestProcedure = {
  [P in ProcedurePath]: (typeof ROUTES)[P] extends { readonly path: string } ? P : never
}[ProcedurePath]
