import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** Another address of an API server. Once it is removed, connections open and nothing comes. */
export class Endpoint implements AsyncDisposable {
  readonly #server: Server
  readonly #target: number
  readonly #sockets = new Set<Socket>()
  #leadsThere = true

  private constructor(target: number) {
    this.#target = target
    this.#server = createServer((socket) => this.#accept(socket))
  }

  /** `target`: a port of 127.0.0.1. */
  static async start(target: number): Promise<Endpoint> {
    const endpoint = new Endpoint(target)
    await new Promise<void>((resolve) => endpoint.#server.listen(0, '127.0.0.1', resolve))
    return endpoint
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  takeAway(): void {
    this.#leadsThere = false
    this.#breakAll()
  }

  bringBack(): void {
    this.#leadsThere = true
    this.#breakAll()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#breakAll()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }

  #accept(socket: Socket): void {
    this.#keep(socket)
    if (!this.#leadsThere) return
    const onwards = connect(this.#target, '127.0.0.1')
    this.#keep(onwards)
    socket.pipe(onwards).pipe(socket)
    socket.on('close', () => onwards.destroy())
    onwards.on('close', () => socket.destroy())
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#sockets.delete(socket))
  }

  #breakAll(): void {
    for (const socket of this.#sockets) socket.destroy()
  }
}
