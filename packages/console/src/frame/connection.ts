// The state of the connection, for the line at the top: the server is unreachable, or rate limits
// this client, and for how long.

/** `lost`: the server didn't respond. `limited`: it accepts requests again in this many seconds. */
export type ConnectionState =
  | { readonly is: "online" }
  | { readonly is: "lost" }
  | { readonly is: "limited"; readonly seconds: number }

type Listener = () => void

const online: ConnectionState = { is: "online" }

class Connection {
  #state = online
  readonly #listeners = new Set<Listener>()

  readonly state = (): ConnectionState => this.#state

  readonly subscribe = (listener: Listener): Listener => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Called when a call waits for the rate limit. Short waits aren't shown. */
  waits(delayMs: number): void {
    if (delayMs >= 2_000) this.#become({ is: "limited", seconds: Math.ceil(delayMs / 1000) })
  }

  lost(): void {
    if (this.#state.is !== "lost") this.#become({ is: "lost" })
  }

  answered(): void {
    if (this.#state.is !== "online") this.#become(online)
  }

  #become(state: ConnectionState): void {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}

export const connection = new Connection()
