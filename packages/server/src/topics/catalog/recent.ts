// The most recently used answers, up to a number.
export class Recent<Value> {
  readonly #max: number
  /** In order of their last use, latest last. */
  readonly #values = new Map<string, Value>()

  constructor(max: number) {
    this.#max = max
  }

  /** The value of the key; computed if it is not remembered. */
  get(key: string, compute: () => Value): Value {
    const known = this.#values.get(key)
    const value = known ?? compute()
    if (known !== undefined) this.#values.delete(key)
    this.#values.set(key, value)
    if (this.#values.size > this.#max) {
      const [oldest] = this.#values.keys()
      this.#values.delete(oldest!)
    }
    return value
  }
}
