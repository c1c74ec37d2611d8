import type { AttemptPatterns } from '../../../api/attempt.ts'

/** How EC2 writes the parts of an attempt. A zone may be a Local or a Wavelength Zone. */
export const attemptPatterns = {
  region: /^[a-z]+(-[a-z]+)+-[0-9]+$/,
  account: /^[0-9]{12}$/,
  zone: /^[a-z][a-z0-9-]+$/,
  subnet: /^subnet-[0-9a-f]+$/,
  handle: /^i-[0-9a-f]+$/,
} as const satisfies AttemptPatterns
