import type { Failure } from '../../kit/faults/faults.ts'
import type { WireAnswer } from '../../kit/http/wire.ts'
import { operationAsked, waitName } from '../actions/operations.ts'
import { tokenAction, type GceCall } from './call.ts'
import { jsonAnswer, notSimulated } from './errors.ts'
import { checkProject } from '../places.ts'
import type { Project } from '../project.ts'
import { isCompute } from './routes.ts'

/** GCE's own words for what can hit any call. */
export const gceFailures = {
  throttle: {
    code: 'rateLimitExceeded',
    message:
      "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute' of service 'compute.googleapis.com' " +
      "for consumer 'project_number:123456789012'.",
  },
  serverErrors: [
    { code: 'internalError', message: 'Internal error. Please try again or contact Google Support.' },
    { code: 'backendError', message: 'Backend Error' },
    { code: 'backendError', message: 'The service is currently unavailable.', status: 502 },
  ],
} as const satisfies { throttle: Failure; serverErrors: readonly Failure[] }

/** Whether GCE looks at a call at all: who makes it, and how many before it. */
export function admitCall({ action, request, route }: GceCall, { credentials, buckets }: Project): void {
  if (action === tokenAction || !isCompute(request.path)) return
  credentials.authenticate(request, request.method === 'GET')
  if (route) buckets.admit(action)
}

/** Does one call. */
export function answerCall({ request, route, action }: GceCall, project: Project): WireAnswer {
  if (action === tokenAction) return jsonAnswer(200, project.credentials.issue(request))
  if (!isCompute(request.path)) return nothingThere(request.path)
  if (!route) throw notSimulated(`${request.method} ${request.path}`)
  if (!action.startsWith('images.')) {
    checkProject(route.parameters['project'] ?? '', project.world, `compute.${action}`)
  }
  return jsonAnswer(200, route.action.answer({ request, parameters: route.parameters }, project))
}

/** What Google's front end says where there is no API at all. */
function nothingThere(path: string): WireAnswer {
  const body = `<!DOCTYPE html>\n<html lang=en><title>Error 404 (Not Found)!!1</title>\n<p>The requested URL <code>${escaped(path)}</code> was not found on this server.\n`
  return { status: 404, headers: { 'content-type': 'text/html; charset=UTF-8' }, body }
}

function escaped(text: string): string {
  return text.replace(/[<>&]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** Whether the answer is the last page of several. */
export function endsList({ request }: GceCall, { status, body }: WireAnswer): boolean {
  return request.query.has('pageToken') && status === 200 && !body.includes('"nextPageToken":')
}

const longestWaitMs = 120_000

/** A wait answers when the operation has ended, or after two minutes. */
export function whenDue({ action, route }: GceCall, project: Project, signal: AbortSignal): Promise<void> | undefined {
  const operation = action === waitName && route ? operationAsked(route.parameters, project) : undefined
  if (!operation || operation.endedAt !== undefined) return undefined
  const { operations, clock } = project
  return new Promise((resolve) => {
    const end = () => {
      forget()
      cancel()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const forget = operations.whenEnded(operation, end)
    const cancel = clock.after(longestWaitMs, end)
    signal.addEventListener('abort', end, { once: true })
  })
}
