/** Continues if this step fails. The pass fails in the end. */
export type Collect = <T>(step: Promise<T>, otherwise?: () => void) => Promise<T | undefined>

export interface CollectedErrors {
  readonly tried: Collect
  /** Throws the collected errors. */
  readonly conclude: () => void
}

/** For a pass over many objects, of which none may block the others. */
export function collectErrors(): CollectedErrors {
  const failures: unknown[] = []
  return {
    tried: (step, otherwise = () => {}) =>
      step.catch((thrown: unknown) => {
        failures.push(thrown)
        otherwise()
        return undefined
      }),
    conclude: () => {
      if (failures.length > 1) throw new AggregateError(failures, 'Several writes of the pass failed')
      if (failures.length === 1) throw failures[0]
    },
  }
}
