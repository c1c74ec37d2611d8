import { phaseOf, type Phase } from '../../api/rules/phase.ts'
import { scopeOfAttempt } from './existence/which.ts'
import type { Pass } from './pass.ts'

type Known = Pick<Pass, 'attempt' | 'cloud' | 'deps' | 'home' | 'infra' | 'key'>

/**
 * When a pass begins, and after each write of ours that changes the attempt. `isLeaving`: when the pass began. A delete
 * that a write brings to light is for the next pass.
 */
export function phaseNow(pass: Known, isLeaving: boolean): Phase {
  const { attempt, infra } = pass
  return phaseOf({
    attempt,
    providerID: infra.spec.providerID,
    isLeaving,
    isShown: () => isShown(pass),
  })
}

function isShown({ attempt, cloud, deps, home, key }: Known): boolean {
  if (!attempt) return false
  const shown = deps.fleetOf(scopeOfAttempt({ cloud, home }, attempt), cloud, key).ofToken(attempt.token)
  return shown !== undefined && shown.state !== 'terminated'
}
