// Requests whose body may take longer to arrive than others may, because it is a stream that is read as
// it comes: the handler watches it instead of the parser.
const longBodies = new WeakSet<object>()

/** `request`: the one of node:http; of a request that came another way there is nothing to allow. */
export const allowLongBody = (request: object): void => {
  longBodies.add(request)
}

export const hasLongBody = (request: object): boolean => longBodies.has(request)
