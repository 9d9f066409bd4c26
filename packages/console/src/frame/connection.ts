// What the line at the top says about the connection: the server is unreachable, or rate limits this client, and for
// how long.

/** `lost`: the server didn't answer. `limited`: it answers again in this many seconds. */
export type ConnectionState =
  | { readonly is: "good" }
  | { readonly is: "lost" }
  | { readonly is: "limited"; readonly seconds: number }

type Listener = () => void

const good: ConnectionState = { is: "good" }

class Connection {
  #state = good
  readonly #listeners = new Set<Listener>()

  readonly state = (): ConnectionState => this.#state

  readonly subscribe = (listener: Listener): Listener => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** A call waits for the rate limit. Short waits aren't worth showing. */
  waits(delayMs: number): void {
    if (delayMs >= 2_000) this.#become({ is: "limited", seconds: Math.ceil(delayMs / 1000) })
  }

  lost(): void {
    if (this.#state.is !== "lost") this.#become({ is: "lost" })
  }

  answered(): void {
    if (this.#state.is !== "good") this.#become(good)
  }

  #become(state: ConnectionState): void {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}

export const connection = new Connection()
