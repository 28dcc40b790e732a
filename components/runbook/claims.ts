import type { RunbookEntry } from './entry'

/** Findings about who holds what: claims, allocations, consumers. */
export const claimEntries = {
  'orphan-claim': {
    means: 'A claim is held for a consumer that is neither a known instance nor a move under way.',
    comes: ['The instance was deleted past Berth.', 'A backup brought back claims of things that are gone.'],
    risk: 'Room is lost: the host looks fuller than it is.',
    berth: 'Proposes to give the room back. It is never freed without a person, unless an admin switched this kind on.',
    you: [
      'Check in the evidence that no hypervisor shows the guest.',
      'Plan the heal, read what it gives back, apply.',
    ],
    verified: 'The room is free on the host page, and the audit is silent.',
  },
  'stray-allocation': {
    means: 'An allocation of Berth stands in the tables without a claim behind it.',
    comes: ['A claim was deleted by SQL.', 'A step of an older version was cut in half.'],
    risk: 'Room is counted as used that nobody uses.',
    berth:
      'Keeps it until a person heals it. Allocations that another client wrote are not Berth’s and are not touched.',
    you: [
      'See which consumer it names and whether that guest exists.',
      'Plan the heal: the allocation goes, nothing else is touched.',
    ],
    verified: 'The consumer has no allocation on that provider.',
  },
  'foreign-allocation': {
    means: 'A client of the Placement API holds room on a host that Berth manages.',
    comes: [
      'Nova or another scheduler shares this database and claimed here before Berth refused it, or while the setting allowed it.',
      'A client claimed under the id of an instance before Berth took that instance over.',
    ],
    risk: 'Berth counts the room as used, but neither sees what runs there nor moves it away. Deleting it may take room from a running instance.',
    berth: 'Changes nothing: no repair and no rule touches what another client owns.',
    you: [
      'Read who wrote it, when, and in which request.',
      'Have that owner delete it over the Placement API, or move its instance to a host that Berth does not manage.',
      'Only when the owner cannot: release the allocation here, with a reason.',
    ],
    verified: 'The consumer has no allocation on this host, and the audit is silent.',
  },
  'allocation-missing': {
    means: 'A claim holds places on a host, and the allocation that should go with it is missing.',
    comes: [
      'A repair tool of another system deleted the allocation of a guest that was being moved.',
      'Rows were deleted by SQL.',
    ],
    risk: 'The host looks emptier than it is, so more may be placed there than fits.',
    berth: 'Its own claims still count the places. The heal writes the allocation back, if it fits.',
    you: ['Plan the heal and read the amounts that are added.', 'If the host is full by now, move a guest away first.'],
    verified: 'Allocations and claim say the same amounts in the drift table.',
  },
  'amount-wrong': {
    means: 'An allocation has another amount than the claim it belongs to.',
    comes: ['The amount was edited by another program or by SQL.', 'A resize elsewhere was written in one table only.'],
    risk: 'Too little: the host can be overfilled. Too much: room is lost.',
    berth: 'Plans to write the amount of the claim, guarded by the generation of the provider.',
    you: ['Read before and after in the diff.', 'Apply. If the host is full, the heal is refused with what is short.'],
    verified: 'The amounts are equal in the drift table.',
  },
  'consumer-holds-twice': {
    means: 'One instance or one move holds two claims, where one is the rule.',
    comes: ['A claim was brought back by a restore.', 'Two programs built the same guest.'],
    risk: 'Room is lost, and nobody can say which claim the guest lives on.',
    berth: 'Keeps the claim that records and hypervisor agree on, and plans to give back the other.',
    you: [
      'See in the evidence where the guest runs.',
      'Apply the heal. During a move it is locked: the move holds both sides rightly.',
    ],
    verified: 'The instance page shows one claim.',
  },
  'instance-holds-wrong': {
    means: 'An instance holds no claim where it should, or holds one where it should not.',
    comes: ['A claim was deleted while a move was under way.', 'The record of the instance was changed past Berth.'],
    risk: 'A guest runs on room that somebody else may be given.',
    berth:
      'Makes the missing claim in a heal, by the same decision that every claim takes. It refuses when the places are taken.',
    you: [
      'Find out from the hypervisor column where the guest runs.',
      'Plan the heal; if its places are taken, move it.',
    ],
    verified: 'Records, allocations and hypervisor agree in the drift table.',
  },
  'instance-host-wrong': {
    means: 'The record of an instance names another host than the one it should live on.',
    comes: [
      'A move failed after the guest was handed over, and the record was not changed with it.',
      'The record was edited.',
    ],
    risk: 'A restart of the guest may start a second copy on the wrong host.',
    berth: 'While the move is open, it decides by itself where home is. After that the heal sets the record right.',
    you: [
      'Make sure where the guest runs: two looks of the hypervisor.',
      'Plan the heal and apply the line that changes the host of the record.',
    ],
    verified: 'The instance page names the host on which the guest runs.',
  },
  'claim-not-as-demanded': {
    means: 'A claim holds something else than flavor and image ask for.',
    comes: ['The flavor was changed after the guest was built.', 'A resize was cut in half by another tool.'],
    risk: 'The guest has more or less than it was promised.',
    berth: 'Plans the claim that flavor and image ask for, where its places allow it.',
    you: [
      'Compare flavor and claim on the instance page.',
      'Apply the heal, or resize the guest to the flavor it really has.',
    ],
    verified: 'The claim is what explain says it would be.',
  },
  'claim-differs-from-guest': {
    means: 'The guest really has other CPUs, cells or devices than its claim says.',
    comes: ['Somebody pinned the guest by hand on its host.', 'A move took other places than it had claimed.'],
    risk: 'CPUs it runs on may be given to another guest.',
    berth:
      'Believes a hypervisor only after two looks agree. The heal writes the places the guest has, if they are free.',
    you: [
      'Decide which is right: what the guest has, or what was claimed.',
      'Heal the claim, or pin the guest again on its host.',
    ],
    verified: 'Two surveys in a row show the places of the claim.',
  },
  'held-by-gone-side': {
    means: 'Something is held on a host of which a person said that it never returns.',
    comes: ['The host died with guests on it that were not evacuated yet.', 'A move still waits to clean that side.'],
    risk: 'The instance is without a home, and figures include a host that is no more.',
    berth: 'Ends moves that waited for that host. Evacuations give the room back by themselves.',
    you: ['Evacuate the instances of that host.', 'If a move still holds it, look at its adviser.'],
    verified: 'Nothing is held on the host.',
  },
} as const satisfies Readonly<Record<string, RunbookEntry>>
