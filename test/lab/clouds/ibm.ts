import { startIbmSimulator } from '../../simulators/ibm/simulator.ts'
import { ibmStrangers } from '../strangers/ibm.ts'
import { boughtBy, listed, type LabCloud, type LabCloudOptions } from './cloud.ts'

const apiKey = 'apikey-canary'
const theirKey = 'apikey-of-others-canary'

export async function startIbm({ ctx, nodes, delays }: LabCloudOptions): Promise<LabCloud> {
  const simulator = await startIbmSimulator({ ...delays, ...ctx, nodes })
  const { url, facts, control } = simulator
  const remains = () => listed(control.remains())
  const createAction = 'create_instance'
  // Other users of the account have their own key.
  control.acceptKeys([apiKey, facts.apikey])
  return {
    name: 'ibm',
    prefix: 'IBM',
    url,
    control,
    environment: {
      IBMCLOUD_API_KEY: apiKey,
      IBMCLOUD_VPC_API_ENDPOINT: `${url}/v1`,
      IBMCLOUD_IAM_API_ENDPOINT: url,
    },
    values: {
      IBM_REGION: facts.region,
      IBM_ZONE: facts.subnets.find(({ id }) => id === facts.subnet)?.zone ?? '',
      IBM_RESOURCE_GROUP_ID: facts.resourceGroup,
      IBM_VPC_ID: facts.vpc,
      IBM_SUBNET_ID: facts.subnet,
      IBM_SECURITY_GROUP_ID: facts.securityGroup,
      IBM_IMAGE_ID: facts.image,
      IBM_SSH_KEY_ID: facts.key,
    },
    denyUs() {
      control.acceptKeys([facts.apikey])
      control.expireTokens()
      return () => control.acceptKeys([apiKey, facts.apikey])
    },
    otherAccount: () => ({
      environment: { IBMCLOUD_API_KEY: theirKey },
      theirs: control.addAccount(theirKey),
      ours: facts.accountId,
    }),
    // The cloud shows the cause when the instance has stopped. A poll may come before that.
    takenBack: /stopped_by_preemption|is stopping/,
    types: { usual: 'bxf-2x8', other: 'mxf-2x16', field: 'profiles' },
    createAction,
    endAction: 'delete_instance',
    isList: ({ action }) => action === 'list_instances',
    refuseLater: () => control.noCapacity(),
    limited: (are) => control.buckets(are ? 'real' : 'none'),
    alive: () => control.instances(),
    bought: () => boughtBy({ control, createAction }, 'name'),
    remains,
    leftovers: () => remains().length,
    strangers: ibmStrangers(simulator),
    close: () => simulator.close(),
  }
}
