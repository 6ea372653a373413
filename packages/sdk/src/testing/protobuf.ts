/** A field of a protobuf message, encoded. */
export type Field = Uint8Array

const text = new TextEncoder()

/** An integer field (varint). */
export function int(field: number, value: number | bigint): Field {
  return concat([varint((BigInt(field) << 3n) | 0n), varint(BigInt.asUintN(64, BigInt(value)))])
}

/** A 32-bit float field. */
export function float(field: number, value: number): Field {
  return concat([varint((BigInt(field) << 3n) | 5n), new Uint8Array(new Float32Array([value]).buffer)])
}

/** A string, bytes or message field. */
export function bytes(field: number, value: string | Uint8Array): Field {
  const content = typeof value === 'string' ? text.encode(value) : value
  return concat([varint((BigInt(field) << 3n) | 2n), varint(BigInt(content.length)), content])
}

/** A message: its fields, one after another. */
export function concat(fields: readonly Field[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(fields.reduce((sum, field) => sum + field.length, 0))
  let offset = 0
  for (const field of fields) {
    all.set(field, offset)
    offset += field.length
  }
  return all
}

function varint(value: bigint): Uint8Array {
  const groups: number[] = []
  let rest = value
  do {
    const group = Number(rest & 127n)
    rest >>= 7n
    groups.push(rest === 0n ? group : group | 128)
  } while (rest !== 0n)
  return Uint8Array.from(groups)
}
