// Writes an MMDB file, by the published description of the format (version 2.0): a binary search tree of IPv6 with
// 32-bit records, then the data and the metadata. The networks must be sorted by address and must not overlap. IPv4
// networks are in ::/96.
type Value = string | number | boolean | { readonly [name: string]: Value }

export interface WrittenNetwork {
  /** 16 bytes. */
  readonly address: Uint8Array
  /** Of 128 bits. */
  readonly prefix: number
  readonly record: Value
}

const sized = (type: number, size: number): Buffer => {
  const [field, more] =
    size < 29
      ? [size, []]
      : size < 285
        ? [29, [size - 29]]
        : [30, [(size - 285) >> 8, (size - 285) & 0xff]]
  const head = type > 7 ? [field, type - 7] : [(type << 5) | field]
  return Buffer.from([...head, ...more])
}

const encode = (value: Value): Buffer => {
  if (typeof value === "string") {
    const text = Buffer.from(value)
    return Buffer.concat([sized(2, text.length), text])
  }
  if (typeof value === "boolean") return sized(14, value ? 1 : 0)
  if (typeof value === "number") {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return Buffer.concat([sized(6, 4), bytes])
  }
  const entries = Object.entries(value)
  return Buffer.concat([
    sized(7, entries.length),
    ...entries.flatMap(([name, inner]) => [encode(name), encode(inner)]),
  ])
}

const nodeBytes = 8
const empty = 0

/** Writes equal records once. */
export const mmdbFile = (networks: Iterable<WrittenNetwork>, type = "Test"): Buffer => {
  // Left and right child of each node: 0 is empty, positive a node, negative a record.
  let nodes = new Int32Array(2 ** 16)
  let count = 1
  const records: Array<Buffer> = []
  const places = new Map<string, number>()
  const placeOf = (record: Value) => {
    const text = JSON.stringify(record)
    const place = places.get(text) ?? records.push(encode(record))
    places.set(text, place)
    return place
  }
  for (const { address, prefix, record } of networks) {
    let node = 0
    for (let bit = 0; bit < prefix; bit++) {
      const side = node * 2 + ((address[bit >> 3]! >> (7 - (bit & 7))) & 1)
      if (bit === prefix - 1) nodes[side] = -placeOf(record)
      else {
        if (nodes[side]! <= empty) {
          if ((count + 1) * 2 > nodes.length) {
            const larger = new Int32Array(nodes.length * 2)
            larger.set(nodes)
            nodes = larger
          }
          nodes[side] = count++
        }
        node = nodes[side]!
      }
    }
  }
  const offsets = [0]
  for (const record of records) offsets.push(offsets.at(-1)! + record.length)
  const tree = Buffer.alloc(count * nodeBytes)
  for (let side = 0; side < count * 2; side++) {
    const value = nodes[side]!
    const written = value > 0 ? value : value === 0 ? count : count + 16 + offsets[-value - 1]!
    tree.writeUInt32BE(written, side * 4)
  }
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_772_323_200,
    database_type: type,
    description: { en: type },
    ip_version: 6,
    node_count: count,
    record_size: 32,
  })
  const marker = Buffer.from("\xab\xcd\xefMaxMind.com", "latin1")
  return Buffer.concat([tree, Buffer.alloc(16), ...records, marker, metadata])
}

/** An IPv4 network such as `192.0.2.0/24`. */
export const ipv4 = (cidr: string, record: Value): WrittenNetwork => {
  const [address = "", length = "32"] = cidr.split("/")
  const bytes = new Uint8Array(16)
  bytes.set(address.split(".").map(Number), 12)
  return { address: bytes, prefix: 96 + Number(length), record }
}
