import type { Account } from '../account.ts'
import { decode, type Parameters } from './decode.ts'
import { Ec2Error } from './errors.ts'
import { boolean, type Fields, type Values } from '../../kit/http/schema.ts'
import type { XmlElement } from './xml.ts'

/** One call of EC2's API. */
export interface Action {
  readonly name: string
  /** Answers with what stands inside `<…Response>`, after the request id. Throws Ec2Error to refuse. */
  answer(parameters: Parameters, account: Account): XmlElement
}

interface Definition<F extends Fields> {
  readonly name: string
  /** Every parameter that EC2 knows here, `DryRun` apart. */
  readonly fields: F
  /** Where the call changes something: all that may be refused, so that a dry run refuses it too. */
  readonly check?: (values: Values<F>, account: Account) => void
  /** `parameters` as they came, for whoever has to compare two calls. */
  readonly perform: (values: Values<F>, account: Account, parameters: Parameters) => XmlElement
}

export function action<const F extends Fields>({ name, fields, check, perform }: Definition<F>): Action {
  const known = { ...fields, DryRun: boolean }
  return {
    name,
    answer(parameters, account) {
      const values = decode(known, parameters) as Values<F> & { DryRun?: boolean }
      if (values.DryRun === true) {
        check?.(values, account)
        throw new Ec2Error('DryRunOperation', 'Request would have succeeded, but DryRun flag is set.')
      }
      return perform(values, account, parameters)
    },
  }
}
