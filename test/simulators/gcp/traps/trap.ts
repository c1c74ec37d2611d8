import type { Json } from '../../kit/http/decode-json.ts'
import { trapsFrom } from '../../kit/traps.ts'
import { zone } from '../fixture.ts'

export const trapsOf = trapsFrom<Json>

export const image = 'projects/spot-simulated/global/images/capi-ubuntu-2404-k8s-v1-36-20260101'
export const subnetwork = 'projects/spot-simulated/regions/us-central1/subnetworks/spot'
export const typed = (name: string) => ({ machineType: `zones/${zone}/machineTypes/${name}` })
export const disk = (initializeParams: Json, over: Json = {}): Json => ({
  disks: [{ boot: true, autoDelete: true, initializeParams: { sourceImage: image, ...initializeParams }, ...over }],
})
export const nic = (over: Json): Json => ({ networkInterfaces: [{ subnetwork, ...over }] })
export const spot = (over: Json): Json => ({ scheduling: { provisioningModel: 'SPOT', ...over } })
export const reserved = (consumeReservationType: string, over: Json = {}): Json => ({
  reservationAffinity: { consumeReservationType, ...over },
})
export const gpu = (name: string, acceleratorCount: number): Json => ({
  guestAccelerators: [{ acceleratorType: `zones/${zone}/acceleratorTypes/${name}`, acceleratorCount }],
})
