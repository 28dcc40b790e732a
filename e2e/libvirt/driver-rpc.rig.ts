import { driverOnRig } from './driver-on-rig'

driverOnRig('rpc')
