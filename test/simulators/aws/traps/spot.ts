import { spot, trapsOf } from './trap.ts'

/** What EC2 does not let one ask of the spot market. */
export const spotTerms = trapsOf({
  InvalidParameterValue: [
    [
      'a type that has no spot market',
      { InstanceType: 'u-3tb1.56xlarge' },
      "'u-3tb1.56xlarge' is an unsupported instance type",
    ],
    ['a price that is no number', spot({ MaxPrice: 'banana' }), 'banana'],
    ['a price without a meaning', spot({ MaxPrice: '0.001' }), '0.001'],
    ['a price below zero', spot({ MaxPrice: '-1' }), '-1'],
  ],
  InvalidParameterCombination: [
    [
      'a one-time request that stops on interruption',
      spot({ SpotInstanceType: 'one-time', InstanceInterruptionBehavior: 'stop' }),
      "The request with type 'one-time' is not supported when instanceInterruptionBehavior is set to 'stop'.",
    ],
    [
      'a one-time request that hibernates on interruption, one-time being what is meant when nothing is said',
      spot({ InstanceInterruptionBehavior: 'hibernate' }),
      "The request with type 'one-time' is not supported",
    ],
    [
      'ValidUntil with a one-time request',
      spot({ SpotInstanceType: 'one-time', ValidUntil: new Date('2027-01-01T00:00:00Z') }),
      'validUntil',
    ],
    ['a spot instance on a dedicated host', { Placement: { Tenancy: 'host' } }, 'tenancy host'],
    ['spot options without the spot market', spot({ MaxPrice: '0.05' }, 'on-demand'), 'SpotOptions'],
    ['termination protection of a spot instance', { DisableApiTermination: true }, 'protected'],
  ],
  SpotMaxPriceTooLow: [
    [
      'a price below the market',
      spot({ MaxPrice: '0.01' }),
      'Your Spot request price of 0.01 is lower than the minimum required Spot request fulfillment price of 0.0384.',
    ],
  ],
})
