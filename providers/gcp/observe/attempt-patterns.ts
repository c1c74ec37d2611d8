import type { AttemptPatterns } from '../../../api/attempt.ts'

/**
 * How GCE writes the parts of an attempt. Beside `us-central1-a` there are zones only for AI, such as
 * `us-central1-ai1a`. The subnet is its name, or `network <name>`; the handle is `<zone>/<numeric id>`.
 */
export const attemptPatterns = {
  region: /^[a-z]+-[a-z]+[0-9]+$/,
  account: /^([a-z0-9.-]+:)?[a-z][a-z0-9-]*[a-z0-9]$/,
  zone: /^[a-z]+-[a-z]+[0-9]+-[a-z][a-z0-9]*$/,
  subnet: /^(network )?[a-z]([-a-z0-9]*[a-z0-9])?$/,
  handle: /^[a-z]+-[a-z]+[0-9]+-[a-z][a-z0-9]*\/[0-9]+$/,
} as const satisfies AttemptPatterns
