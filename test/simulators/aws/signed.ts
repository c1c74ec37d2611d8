/** A well-formed signature that nobody checks unless the simulator was told which keys to accept. */
export const signed = {
  authorization:
    'AWS4-HMAC-SHA256 Credential=AKIASPOTEXAMPLE/20260101/us-east-1/ec2/aws4_request, ' +
    `SignedHeaders=host;x-amz-date, Signature=${'0'.repeat(64)}`,
  'x-amz-date': '20260101T000000Z',
}
