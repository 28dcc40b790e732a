import type { RunbookEntry } from './entry'

/** Findings about the capacity of a host: inventories, CPUs, devices and providers. */
export const capacityEntries = {
  'over-capacity': {
    means: 'Allocations from a provider exceed its capacity.',
    comes: [
      'The inventory was reduced, or its reserved part raised, while instances were there.',
      'Another program or SQL wrote allocations without the capacity check.',
    ],
    risk: 'Instances may get less memory or CPU time than they were promised. The host accepts no new claims meanwhile.',
    berth: 'Refuses every claim that would add to it. It never takes capacity from a running instance.',
    you: [
      'Check on the host page who uses the resource.',
      'Migrate one of the instances away, or drain part of the host.',
      'If the inventory is wrong, correct it; the instances may stay.',
    ],
    verified: 'The next audit finds allocations within capacity.',
  },
  'memory-overcommitted': {
    means: 'On a NUMA node, or on the host as a whole, more memory is claimed than exists in pages of that size.',
    comes: [
      'Huge pages were set up on a host with instances in small pages, which lost that memory.',
      'The host accounted for memory as Nova does, which lets instances claim small pages that huge pages already use.',
      'Another program or SQL wrote claims without the capacity check.',
    ],
    risk: 'The host swaps, or kills an instance, once the instances use the memory that they claimed.',
    berth:
      'Refuses every new claim on such pages. Migrations away, reverts and rebuilds in place stay possible. It evicts nothing.',
    you: [
      'Check on the host map how much of each NUMA node is in small and in huge pages, and who uses it.',
      'Migrate one of the named instances away.',
      'Or change the number of huge pages on the host, and import the host again.',
    ],
    verified: 'The next audit finds no more claimed than exists.',
  },
  'usage-mismatch': {
    means: 'The usage of a provider is not the sum of its allocations.',
    comes: ['SQL wrote the usage of an inventory outside Berth.', 'The copy of the host in memory missed a change.'],
    risk: 'Until it is computed again, claims may be refused although there is capacity, or screens show a wrong number.',
    berth: 'Computes usage again from the allocations at every full audit.',
    you: ['Audit again.', 'If it persists, restart the server and keep the support bundle of the host.'],
    verified: 'The next audit finds both numbers equal.',
  },
  'unit-held-twice': {
    means: 'One CPU or device has two holders.',
    comes: [
      'SQL or a restored backup wrote rows outside Berth.',
      'An import read a fleet in which two instances really are pinned to one core.',
    ],
    risk: 'Two instances share a core that each was promised alone, or one of them does not get its device at its next start.',
    berth:
      'Shows both holders on the map and gives the CPU or device to no other instance. It takes it from neither on its own.',
    you: [
      'Open it on the host map, which names both holders and their migrations.',
      'Check in the hypervisor column of the comparison table which of the two really uses it.',
      'Review the repair: it releases the claim that does not use it. If both use it, migrate one instance away.',
    ],
    verified: 'The map shows one holder, and the next audit reports nothing about it.',
  },
  'resource-missing': {
    means: 'A claim names a CPU, NUMA node or device that its host does not have.',
    comes: [
      'The hardware of the host changed: a card was removed, or hyper-threading was switched off.',
      'The claim was copied from another host.',
    ],
    risk: 'The instance cannot start there again.',
    berth:
      'Refuses further claims on the resource. The claim stays until an operator repairs it or the instance leaves.',
    you: [
      'Compare the facts of the host with its hardware; wait for a new survey if it was just changed.',
      'Review the repair, or migrate the instance so that it gets resources that exist.',
    ],
    verified: 'The host map shows everything that the claim names.',
  },
  'pins-and-units-differ': {
    means: 'The CPUs that a claim is pinned to are not the CPUs that it has claimed.',
    comes: ['One of the two was edited without the other.', 'An import read only one of them.'],
    risk: 'A CPU that the instance runs on may be given away, or one that it does not use stays blocked.',
    berth: 'Proposes to claim the pinned CPUs, as long as no other instance has them.',
    you: [
      'Check which CPUs the repair adds and which it releases.',
      'Apply it. If a CPU has another holder, see “held twice”.',
    ],
    verified: 'The map shows the same CPUs as pinned and as claimed.',
  },
  'child-class-on-root': {
    means: 'A resource class of a NUMA node or card is allocated from the root provider of the host.',
    comes: [
      'The host was converted to nested providers without this consumer.',
      'Another program wrote a flat allocation.',
    ],
    risk: 'The same capacity counts in two places, so some of it is wasted.',
    berth: 'Keeps scheduling to the host. It moves no allocation outside a repair or a conversion.',
    you: ['Review the repair, or convert the host on the layout page.', 'Neither migrates or stops an instance.'],
    verified: 'The root provider has only its own resource classes, and the totals are unchanged.',
  },
  'two-providers': {
    means: 'One host has two resource providers.',
    comes: ['The host was reinstalled with another id, and the old provider stayed.'],
    risk: 'Allocations from the old provider do not count, and clients of the Placement API may claim from it.',
    berth: 'Uses only the provider in the host record. It deletes none on its own.',
    you: [
      'Check what is still allocated from the provider without a host.',
      'When nothing is, delete it over the Placement API. Otherwise repair those allocations first.',
    ],
    verified: 'One provider has the name of the host.',
  },
  'conversion-unfinished': {
    means: 'The conversion of a host from flat to nested providers did not finish.',
    comes: [
      'The server was stopped between planning and writing.',
      'The plan met a state that it could not convert; the layout page names it.',
    ],
    risk: 'None: a host is converted completely or not at all, and accepts claims either way.',
    berth: 'Leaves the host flat and shows the reason. A rollout stops at the first failure.',
    you: [
      'Open the host on the layout page and read what blocks it.',
      'Replan or apply again; converted hosts are skipped.',
    ],
    verified: 'The layout page shows the host as verified, with equal sums before and after.',
  },
  'unreadable-record': {
    means: 'A row of the database has a value that its column does not allow.',
    comes: [
      'Somebody wrote it with a database client or a script.',
      'It was restored from a backup of another version, or written before the database checked the column.',
    ],
    risk: 'Its host accepts no claims, and migrations that depend on it do not continue. Everything else does.',
    berth:
      'Shows a placeholder, decides nothing from it, and names table, row and column. Offers a repair where other rows or a safe default provide the value.',
    you: [
      'Review the repair and apply it.',
      'If there is none, the finding says why: correct the column, or restore the row from a backup.',
      'Audit again.',
    ],
    verified: 'The next audit does not name the row.',
  },
  'projection-differs': {
    means: 'The server’s in-memory copy of a host is behind the tables.',
    comes: ['A database notification was lost, for example during a short loss of the connection.'],
    risk: 'Answers about the host may be out of date. Claims are safe: they are checked against the tables.',
    berth: 'Reads the host again when it notices.',
    you: ['Audit again after a minute.', 'If it persists, restart the server.'],
    verified: 'The next audit finds both generations equal.',
  },
} as const satisfies Readonly<Record<string, RunbookEntry>>
