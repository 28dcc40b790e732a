"""Nova's fake driver, with two things that real hypervisors have: a live migration lasts as long as its instance says, and
guests outlive their nova-compute."""
import json
import os
import time

from nova.compute import power_state
from nova.virt import fake

STEP_S = 0.1


class Guests(dict):
    """What runs on the host, kept in a file from which the next nova-compute reads it."""

    def __init__(self, path):
        super().__init__()
        self._path = path
        if os.path.exists(path):
            with open(path) as kept:
                for uuid, name in json.load(kept).items():
                    super().__setitem__(uuid, fake.FakeInstance(name, power_state.RUNNING, uuid))

    def _keep(self):
        with open(self._path + '.new', 'w') as kept:
            json.dump({uuid: guest.name for uuid, guest in self.items()}, kept)
        os.replace(self._path + '.new', self._path)

    def __setitem__(self, uuid, guest):
        super().__setitem__(uuid, guest)
        self._keep()

    def __delitem__(self, uuid):
        super().__delitem__(uuid)
        self._keep()


class PatientDriver(fake.FakeLiveMigrateDriver):
    def __init__(self, virtapi, read_only=False):
        super().__init__(virtapi, read_only)
        # By instance: several migrations of one host may run side by side.
        self._ends = {}

    def init_host(self, host):
        super().init_host(host)
        os.makedirs(fake.CONF.state_path, exist_ok=True)
        self.instances = Guests(os.path.join(fake.CONF.state_path, 'guests.json'))

    def live_migration(self, context, instance, dest, post_method, recover_method, block_migration=False,
                       migrate_data=None):
        self._ends[instance.uuid] = None
        deadline = time.time() + float(instance.metadata.get('live_seconds', 2))
        while self._ends[instance.uuid] is None and time.time() < deadline:
            time.sleep(STEP_S)
        if self._ends.pop(instance.uuid) == 'abort':
            recover_method(context, instance, dest, migrate_data, migration_status='cancelled')
        else:
            post_method(context, instance, dest, block_migration, migrate_data)

    def live_migration_force_complete(self, instance):
        self._ends[instance.uuid] = 'complete'

    def live_migration_abort(self, instance):
        self._ends[instance.uuid] = 'abort'
