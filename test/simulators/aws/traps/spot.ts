import { spot, type Trap } from './trap.ts'

/** What EC2 does not let one ask of the spot market. */
export const spotTerms: readonly Trap[] = [
  {
    trap: 'a type that has no spot market',
    said: { InstanceType: 'u-3tb1.56xlarge' },
    code: 'InvalidParameterValue',
    message: "'u-3tb1.56xlarge' is an unsupported instance type",
  },
  {
    trap: 'a one-time request that stops on interruption',
    said: spot({ SpotInstanceType: 'one-time', InstanceInterruptionBehavior: 'stop' }),
    code: 'InvalidParameterCombination',
    message: "The request with type 'one-time' is not supported when instanceInterruptionBehavior is set to 'stop'.",
  },
  {
    trap: 'a one-time request that hibernates on interruption, one-time being what is meant when nothing is said',
    said: spot({ InstanceInterruptionBehavior: 'hibernate' }),
    code: 'InvalidParameterCombination',
    message: "The request with type 'one-time' is not supported",
  },
  {
    trap: 'ValidUntil with a one-time request',
    said: spot({ SpotInstanceType: 'one-time', ValidUntil: new Date('2027-01-01T00:00:00Z') }),
    code: 'InvalidParameterCombination',
    message: 'validUntil',
  },
  {
    trap: 'a spot instance on a dedicated host',
    said: { Placement: { Tenancy: 'host' } },
    code: 'InvalidParameterCombination',
    message: 'tenancy host',
  },
  {
    trap: 'spot options without the spot market',
    said: spot({ MaxPrice: '0.05' }, 'on-demand'),
    code: 'InvalidParameterCombination',
    message: 'SpotOptions',
  },
  {
    trap: 'a price that is no number',
    said: spot({ MaxPrice: 'banana' }),
    code: 'InvalidParameterValue',
    message: 'banana',
  },
  {
    trap: 'a price without a meaning',
    said: spot({ MaxPrice: '0.001' }),
    code: 'InvalidParameterValue',
    message: '0.001',
  },
  { trap: 'a price below zero', said: spot({ MaxPrice: '-1' }), code: 'InvalidParameterValue', message: '-1' },
  {
    trap: 'a price below the market',
    said: spot({ MaxPrice: '0.01' }),
    code: 'SpotMaxPriceTooLow',
    message:
      'Your Spot request price of 0.01 is lower than the minimum required Spot request fulfillment price of 0.0384.',
  },
  {
    trap: 'termination protection of a spot instance',
    said: { DisableApiTermination: true },
    code: 'InvalidParameterCombination',
    message: 'protected',
  },
]
