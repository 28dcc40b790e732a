import { driverOnRig } from './driver.suite.rig'

driverOnRig('rpc')
