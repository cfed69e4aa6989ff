import { testCorpus } from '../corpus.ts'

testCorpus('markdown-xml', 'markdown/xml')
