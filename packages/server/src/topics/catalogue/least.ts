// Of many values those with the least keys, few of them, in ascending order of the keys.

export class Least<Value> {
  readonly values: Array<Value> = []
  readonly #keys: Array<number> = []
  readonly #limit: number

  /** `limit`: how many values are kept; at least 1. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Of equal keys the one that came first is the lesser. */
  offer(key: number, value: Value): void {
    const keys = this.#keys
    if (keys.length === this.#limit && key >= keys[keys.length - 1]!) return
    let at = keys.length
    while (at > 0 && keys[at - 1]! > key) at--
    keys.splice(at, 0, key)
    this.values.splice(at, 0, value)
    if (keys.length <= this.#limit) return
    keys.pop()
    this.values.pop()
  }
}
