import type { AttemptPatterns } from '../../../api/attempt.ts'

/** How IBM Cloud VPC writes the parts of an attempt. */
export const attemptPatterns = {
  region: /^[a-z]+(-[a-z]+)+$/,
  account: /^[0-9a-f]{32}$/,
  zone: /^[a-z]+(-[a-z]+)+-[0-9]+$/,
  subnet: /^[-0-9a-z_]+$/,
  handle: /^[-0-9a-z_]+$/,
} as const satisfies AttemptPatterns
