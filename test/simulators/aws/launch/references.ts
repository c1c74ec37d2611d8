import { Ec2Error, invalidCombination, notSimulated } from '../http/errors.ts'
import type { RunInstancesValues } from './parameters.ts'

/** Things that this account has none of: whoever names one is told what EC2 tells to an account without them. */
export function refuseWhatIsNotThere(values: RunInstancesValues): void {
  refuseTemplate(values.LaunchTemplate)
  if (values.EnclaveOptions?.Enabled === true) throw notSimulated('enclaves')
  if (values.HibernationOptions?.Configured === true) throw notSimulated('hibernation')
  refuseProtectedSpot(values)
}

function refuseTemplate(template: RunInstancesValues['LaunchTemplate']): void {
  if (!template) return
  const { LaunchTemplateId: id, LaunchTemplateName: name } = template
  throw id === undefined
    ? new Ec2Error(
        'InvalidLaunchTemplateName.NotFoundException',
        `The specified launch template, with template name ${name}, does not exist.`,
      )
    : new Ec2Error(
        'InvalidLaunchTemplateId.NotFound',
        `The specified launch template, with template ID ${id}, does not exist.`,
      )
}

function refuseProtectedSpot({
  InstanceMarketOptions,
  DisableApiTermination,
  DisableApiStop,
}: RunInstancesValues): void {
  if (InstanceMarketOptions?.MarketType !== 'spot') return
  if (DisableApiTermination === true || DisableApiStop === true) {
    throw invalidCombination('Spot Instances cannot be protected from termination or stop.')
  }
}
