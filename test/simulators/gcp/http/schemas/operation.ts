import { each, list, map, output, outputOf, structure, text } from '../../../kit/http/schema.ts'

const errorDetails = structure({
  errorInfo: structure({ domain: text, metadatas: map(text), reason: text }),
  help: structure({ links: list(structure({ description: text, url: text })) }),
  localizedMessage: structure({ locale: text, message: text }),
  quotaInfo: structure({ dimensions: map(text), limit: text, limitName: text, metricName: text }),
})

/** The message Operation. */
export const operationFields = {
  ...each(output, 'clientOperationId creationTimestamp description endTime httpErrorMessage httpErrorStatusCode id'),
  ...each(output, 'insertTime kind name operationGroupId operationType progress region selfLink startTime status'),
  ...each(output, 'statusMessage targetId targetLink user warnings zone'),
  error: outputOf(
    structure({
      errors: list(structure({ code: text, errorDetails: list(errorDetails), location: text, message: text })),
    }),
  ),
} as const
