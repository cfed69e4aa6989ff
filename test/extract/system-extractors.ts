// The extractors that the package ships, read as the product reads them.
import { readFileSync } from 'node:fs'
import { readExtractor } from '../../src/extract/read-extractor.ts'
import type { Extractor, Extractors } from '../../src/extract/types.ts'
import type { SignedType } from '../../src/item/item-type.ts'
import { parseBytes } from '../../src/parse/parse-bytes.ts'
import type { Metadata } from '../../src/parse/types.ts'

export const EXTRACTED_TYPES: readonly SignedType[] = ['directive', 'tool', 'knowledge', 'skill', 'config']

export function extractorBytes(type: SignedType): Buffer {
  const path = `../../system/.ai/tools/rye/core/extractors/${type}/${type}_extractor.yaml`
  return readFileSync(new URL(path, import.meta.url))
}

export async function extractorMetadata(type: SignedType): Promise<Metadata> {
  return (await parseBytes('yaml/yaml', extractorBytes(type), '.yaml')).metadata
}

export async function systemExtractor(type: SignedType): Promise<Extractor> {
  const { extractor, diagnostics } = readExtractor(type, await extractorMetadata(type))
  if (extractor === null) throw new Error(JSON.stringify(diagnostics))
  return extractor
}

export async function systemExtractors(): Promise<Extractors> {
  const entries = EXTRACTED_TYPES.map(async type => [type, await systemExtractor(type)] as const)
  return new Map(await Promise.all(entries))
}
