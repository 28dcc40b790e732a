import { driverOnRig } from './driver-on-rig'

driverOnRig('virsh')
