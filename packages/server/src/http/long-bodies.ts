// Requests whose body may arrive slowly because it is streamed. The handler enforces its pace instead of the parser.
const longBodies = new WeakSet<object>()

/** `request`: from node:http. Does nothing for requests that arrived another way. */
export const allowLongBody = (request: object): void => {
  longBodies.add(request)
}

export const hasLongBody = (request: object): boolean => longBodies.has(request)
