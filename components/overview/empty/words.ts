import type { ForeignFleetView } from '@/server/api/provider/foreign'
import { count, plural } from '../../ui/format'

/** The overview of a Berth without hosts. */
export const emptyFleetWords = {
  first: {
    title: 'No hosts yet',
    addHost: {
      title: 'Add host',
      about: 'Probe a libvirt host and preview its NUMA nodes, devices and domains before anything is stored.',
    },
    demo: {
      title: 'Try a simulated fleet',
      about: 'Creates 24 simulated hosts and 200 instances. No hypervisor is involved.',
      command: 'npm run import -- demo --hosts 24 --instances 200',
    },
    files: {
      title: 'Import hosts',
      about: 'Reads hosts and workloads from tables and claims a host for each workload.',
      command: 'npm run import -- fleet --nodes nodes.csv --pods pods.csv',
    },
    nova: {
      title: 'Hosts managed by Nova',
      about: 'nova-compute registers its hosts over the Placement API of Berth. They are listed under Provider trees.',
      open: 'Provider trees',
    },
  },
  nova: {
    title: 'Fleet managed by Nova',
    facts: (trees: number, { instances, migrations, others, unknown }: ForeignFleetView['consumers']) =>
      [
        plural(trees, 'provider tree'),
        plural(instances, 'instance'),
        plural(migrations, 'migration'),
        ...(unknown > 0 ? [`${plural(unknown, 'consumer')} of unknown type`] : []),
        ...(others > 0 ? [plural(others, 'other consumer')] : []),
      ].join(', '),
    unknown:
      'Nova reports only inventories and allocations to Berth. Connect the cloud to see host and instance names, and the current host, state and flavor of each instance.',
    connect: 'Connect the cloud',
    allClaims: 'All claims',
    allTrees: 'Provider trees',
    capacity: 'Capacity',
    migrations: 'Migrations of Nova in progress',
    migrationsCount: (shown: number, all: number) => (shown < all ? `${count(shown)} longest of ${count(all)}` : null),
    noMigrations: 'No migration in progress',
    noMigrationsMore:
      'A migration appears when Nova moves the instance’s allocation to the migration UUID. It ends when Nova deletes that allocation or moves it back.',
    noTarget: 'nothing claimed',
    shapes: 'Shapes claimed',
    shapesCount: (shown: number, all: number) =>
      shown < all ? `${count(shown)} most frequent of ${count(all)}` : null,
    noShapes: 'No allocations',
    noShapesMore: 'Shapes appear with the first claim of Nova.',
    migrationsHelp: 'Migrations that hold this shape on their source host.',
    columns: {
      ...{ instance: 'Instance', migration: 'Migration', source: 'Source', target: 'Target', amounts: 'Amounts' },
      ...{ since: 'Since', shape: 'Amounts', consumers: 'Consumers', migrations: 'Migrations' },
    },
  },
} as const
