// All items of an async iterable, in order.

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Array<Item>> {
  const collected: Array<Item> = []
  for await (const item of items) collected.push(item)
  return collected
}
