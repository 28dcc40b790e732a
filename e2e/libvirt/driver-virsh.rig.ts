import { driverOnRig } from './driver.suite.rig'

driverOnRig('virsh')
