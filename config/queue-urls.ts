/** The URLs of queues, each once. */
export function queueUrls(value: string): readonly string[] {
  const urls = value.split(',').map((url) => url.trim())
  const given = [...new Set(urls.filter(Boolean))]
  for (const url of given) {
    const { protocol = '', pathname = '', search = '' } = URL.parse(url) ?? {}
    const isOfQueue = /^\/\d{12}\/[A-Za-z0-9_-]{1,80}$/.test(pathname) && search === ''
    if (!['https:', 'http:'].includes(protocol) || !isOfQueue) {
      throw new Error('write each as https://sqs.us-east-1.amazonaws.com/123456789012/name. FIFO queues are not used.')
    }
  }
  return given
}
