import type { RunbookEntry } from './entry'

/** Findings about room on a host: capacity, units, providers. */
export const roomEntries = {
  'over-capacity': {
    means: 'More of a resource is held on a provider than its inventory allows.',
    comes: [
      'Inventory was lowered, or the reserved part raised, while guests were there.',
      'Allocations were written past the capacity check, by another program or by SQL.',
    ],
    risk: 'Guests may get less memory or CPU time than they were promised. No new claim lands there meanwhile.',
    berth: 'Refuses every new claim that would add to it. It never takes room from a guest that runs.',
    you: [
      'See on the host page who holds the resource.',
      'Move one of the guests away, or drain the host in part.',
      'If the inventory is wrong, correct it; the guests may stay.',
    ],
    verified: 'The next audit finds no more held than the capacity.',
  },
  'memory-overcommitted': {
    means: 'On a NUMA node, or on the host as a whole, more memory is promised than exists in pages of that size.',
    comes: [
      'Huge pages were set up while instances in ordinary pages were there: what a huge-page pool keeps is gone for them.',
      'The host accounted for memory as Nova does, which promises ordinary pages beyond what huge pages leave.',
      'Claims were written past the capacity check, by another program or by SQL.',
    ],
    risk: 'The host swaps, or kills a guest, once the guests use what they were promised.',
    berth:
      'Refuses every new claim on such pages. Migrations away, reverts and rebuilds in place stay possible. It evicts nobody.',
    you: [
      'See on the host’s map how much of each NUMA node is in ordinary and in huge pages, and who holds it.',
      'Migrate one of the named instances away.',
      'Or change how many huge pages the host sets up, and import the host again.',
    ],
    verified: 'The next audit finds no more promised than exists.',
  },
  'usage-mismatch': {
    means: 'The usage a provider shows is not the sum of what consumers hold on it.',
    comes: ['A read and a write overlapped.', 'The copy of the host in memory missed a change.'],
    risk: 'None for claims: they are checked against the tables. Screens may show a wrong figure.',
    berth: 'Sums usage anew at every read. There is no row to correct.',
    you: ['Audit again.', 'If it stays, restart the server and keep the support bundle of the host.'],
    verified: 'The next audit shows the same figure on both sides.',
  },
  'unit-held-twice': {
    means: 'One CPU, device or namespace has two holders in the records.',
    comes: [
      'Rows were written past Berth, by SQL or a restored backup.',
      'An import read a fleet in which two guests are really pinned to one core.',
    ],
    risk: 'Two guests share a core that each was promised alone, or one of them will not get its device at its next start.',
    berth: 'Shows both holders on the map and gives the unit to nobody else. It takes it from neither by itself.',
    you: [
      'Open the place on the host’s map; it names both holders and their moves.',
      'See which of the two really uses it: the hypervisor column in the drift table.',
      'Plan the heal: it takes the unit from the claim that does not use it. If both use it, move one guest away.',
    ],
    verified: 'The place on the map has one holder again, and the audit is silent about it.',
  },
  'place-unknown': {
    means: 'A claim names a CPU, cell or device its host does not have.',
    comes: [
      'The host’s hardware was changed: a card removed, hyper-threading switched off.',
      'The claim was copied from another host.',
    ],
    risk: 'The guest will not start again there, and its promise rests on nothing.',
    berth: 'Refuses further claims on the place. The claim stays until a person heals it or the guest moves.',
    you: [
      'Compare the host’s facts with its hardware; wait for a new survey if it was just changed.',
      'Plan the heal, or move the guest so that it gets places that exist.',
    ],
    verified: 'Every place of the claim is on the host’s map.',
  },
  'pins-and-units-differ': {
    means: 'The CPUs a claim is pinned to are not the CPUs it holds.',
    comes: ['One of the two was edited without the other.', 'An import read only one of them.'],
    risk: 'A CPU the guest runs on may be given to somebody else, or one it does not use stays lost.',
    berth: 'Plans to make the held CPUs follow the pins, as long as nobody else holds them.',
    you: [
      'Read the lines: which CPUs are added and which are given back.',
      'Apply; if a CPU has another holder, see “unit held twice”.',
    ],
    verified: 'The claim’s pins and units are the same on the map.',
  },
  'child-class-on-root': {
    means: 'A resource that belongs to a cell or a card is held on the host’s root provider.',
    comes: [
      'The host was given nested providers and this consumer was not moved with them.',
      'Another program wrote a flat allocation.',
    ],
    risk: 'The same room is counted in two places, so some of it is lost.',
    berth: 'Schedules on the host all the same. It moves no allocation outside a heal or a reshape.',
    you: ['Plan the heal, or reshape the host on the layout page.', 'Nothing moves and no guest stops.'],
    verified: 'The root holds only classes of the root, and sums are as before.',
  },
  'two-providers': {
    means: 'Two resource providers stand for one host.',
    comes: ['The host was installed anew with another id, and the old provider stayed.'],
    risk: 'Allocations of the old provider count nowhere; programs over the Placement API may place onto it.',
    berth: 'Uses the provider of the host row alone. It deletes none by itself.',
    you: [
      'Look what is still allocated from the provider without a host.',
      'When nothing is, delete it over the Placement API. Otherwise heal those allocations first.',
    ],
    verified: 'One provider carries the host’s name.',
  },
  'layout-unhealed': {
    means: 'The change of a host from flat to nested providers did not finish.',
    comes: [
      'The server was stopped between planning and writing.',
      'The plan met a state it could not carry over; the marker says which.',
    ],
    risk: 'None: a host is all old or all new. It stays schedulable as it is.',
    berth: 'Leaves the host flat and says why. A wave stops at the first failure.',
    you: [
      'Open the host on the layout page and read what blocks it.',
      'Plan anew, or apply again; hosts that are healed are skipped.',
    ],
    verified: 'The marker says verified, with sums before and after equal.',
  },
  'unreadable-record': {
    means: 'A row of the database holds something that cannot be what its column is for.',
    comes: [
      'Somebody wrote it with a database client, or a script did.',
      'It was restored from a backup of another version, or written before the database checked it.',
    ],
    risk: 'Its host takes no claims, and no migration that rests on it goes on. Everything else goes on.',
    berth:
      'Shows a stand-in, decides nothing on it, and names table, row and column. Offers a repair where other rows or a safe value say what belongs there.',
    you: [
      'Review the repair and apply it.',
      'If there is none, the finding says why: set the column right, or restore the row from a backup.',
      'Audit again.',
    ],
    verified: 'The next audit does not name the row.',
  },
  'projection-differs': {
    means: 'The server’s copy of a host in memory is behind the tables.',
    comes: ['A notice of the database was lost, for instance in a short break of the connection.'],
    risk: 'Answers about the host may be out of date. Claims are safe: they are checked against the tables.',
    berth: 'Reads the host anew when it notices.',
    you: ['Audit again after a minute.', 'If it stays, restart the server.'],
    verified: 'Both generations are the same at the next audit.',
  },
} as const satisfies Readonly<Record<string, RunbookEntry>>
