import type { AttemptPatterns } from '../../../api/attempt.ts'

/** How Azure writes the parts of an attempt. The subnet is its name, the handle is `<resource group>/<name>`. */
export const attemptPatterns = {
  region: /^[a-z][a-z0-9]+$/,
  account: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  within: /^[A-Za-z0-9_().-]*[A-Za-z0-9_()-]$/,
  zone: /^[1-9]$/,
  subnet: /^[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9_])?$/,
  handle: /^[A-Za-z0-9_().-]*[A-Za-z0-9_()-]\/[a-z][a-z0-9-]*$/,
} as const satisfies AttemptPatterns
