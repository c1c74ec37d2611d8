import type { NoticeKind } from '../../../api/notice.ts'

/**
 * The status codes of a spot request that EC2 has fulfilled, and the notice that each of them is. None: the instance
 * goes on, somebody here ended it, or it has ended already and the list of instances shows that.
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-request-status.html
 */
export const spotCodes: Readonly<Record<string, NoticeKind | 'none'>> = {
  /** EC2 needs the capacity. An instance that terminates shows this at once, and runs for two minutes more. */
  'instance-terminated-no-capacity': 'Spot',
  /** EC2 is about to terminate the instance; documented while it runs. */
  'marked-for-termination': 'Spot',
  /** EC2 is about to stop the instance; documented while it runs. We ask for instances that terminate. */
  'marked-for-stop': 'Spot',
  /** The spot price rose above `maxPrice`. Documented for the end only, but so is the code of the notice. */
  'instance-terminated-by-price': 'Spot',

  /** The instance is launched, or runs. */
  fulfilled: 'none',
  /** A user canceled the request alone. EC2 lets the instance run. */
  'request-canceled-and-instance-running': 'none',
  /** The instance was terminated by a user, or by us. */
  'instance-terminated-by-user': 'none',
  /** The same, by its second documented name. */
  'spot-instance-terminated-by-user': 'none',
  /** The instance was terminated while it was stopped. */
  'instance-terminated-by-service': 'none',
  /** The instance had a defined duration, which is over. EC2 sells none any more, and we never asked for one. */
  'instance-terminated-by-schedule': 'none',
  /** Another instance of its launch group ended. We never ask for a launch group. */
  'instance-terminated-launch-group-constraint': 'none',
  /** A user or the guest stopped the instance. */
  'instance-stopped-by-user': 'none',
  /** EC2 stopped the instance, because the spot price rose above `maxPrice`. */
  'instance-stopped-by-price': 'none',
  /** EC2 stopped the instance, because it needs the capacity. */
  'instance-stopped-no-capacity': 'none',
}

/** The codes to ask for. */
export const codesWithNotice: readonly string[] = Object.keys(spotCodes).filter((code) => spotCodes[code] !== 'none')
