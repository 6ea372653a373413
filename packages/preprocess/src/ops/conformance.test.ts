import { describe, test } from 'vitest'
import { conformance } from '../../test/conformance.js'
import * as testing from '../testing.js'

describe('Pillow agrees to the bit', () => {
  for (const { name, run } of conformance(testing)) test(name, run)
})
