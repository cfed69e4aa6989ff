// The input and answer types of every action, by name: the types of the library for programs.
import type { CatalogueSearchAnswer, CatalogueSearchInput } from './catalogue/search.ts'
import type { CatalogueStatusAnswer, CatalogueStatusInput } from './catalogue/status.ts'
import type { CatalogueSyncAnswer, CatalogueSyncInput } from './catalogue/sync.ts'
import type { MvAnswer, MvInput } from './items/change/move.ts'
import type { RmAnswer, RmInput } from './items/change/remove.ts'
import type { EditAnswer, EditInput } from './items/edit/fields.ts'
import type { ExecuteAnswer } from './items/execute/answer.ts'
import type { ExecuteInput } from './items/execute/fields.ts'
import type { FetchAnswer, FetchInput } from './items/fetch.ts'
import type { ListAnswer, ListInput } from './items/list.ts'
import type { AnyLoadAnswer, LoadInput } from './items/load/fields.ts'
import type { MergeAnswer, MergeInput } from './items/merge/fields.ts'
import type { NewAnswer, NewInput } from './items/new/definition.ts'
import type { ParseAnswer, ParseInput } from './items/parse.ts'
import type { SearchAnswer } from './items/search/answer.ts'
import type { SearchInput } from './items/search/fields.ts'
import type { ShowAnswer, ShowInput } from './items/show.ts'
import type { SignAnswer, SignInput } from './items/sign/fields.ts'
import type { VerifyAnswer, VerifyInput } from './items/verify/definition.ts'
import type { EvalAnswer, EvalInput } from './library/evaluate.ts'
import type { IndexAnswer, IndexInput } from './library/index-library.ts'
import type { RunsAnswer, RunsInput } from './library/runs.ts'
import type { RegistryPublishAnswer, RegistryPublishInput } from './registry/publish.ts'
import type { RegistrySearchAnswer, RegistrySearchInput } from './registry/search.ts'
import type { RegistryShowAnswer, RegistryShowInput } from './registry/show.ts'
import type { RegistryUnpublishAnswer, RegistryUnpublishInput } from './registry/unpublish.ts'
import type { McpAddAnswer, McpAddInput } from './servers/add.ts'
import type { McpDiscoverAnswer, McpDiscoverInput } from './servers/discover.ts'
import type { McpGrantAnswer, McpGrantInput } from './servers/grant.ts'
import type { McpGrantsAnswer, McpGrantsInput } from './servers/grants.ts'
import type { McpListAnswer, McpListInput } from './servers/list.ts'
import type { McpRefreshAnswer, McpRefreshInput } from './servers/refresh.ts'
import type { McpRemoveAnswer, McpRemoveInput } from './servers/remove.ts'
import type { McpRevokeAnswer, McpRevokeInput } from './servers/revoke.ts'
import type { DoctorAnswer, DoctorInput } from './setup/doctor/definition.ts'
import type { InitAnswer, InitInput } from './setup/init/fields.ts'
import type { KeysExportAnswer, KeysExportInput } from './setup/keys/export.ts'
import type { KeysGenerateAnswer, KeysGenerateInput } from './setup/keys/generate.ts'
import type { KeysListAnswer, KeysListInput } from './setup/keys/list.ts'
import type { KeysOfferAnswer, KeysOfferInput } from './setup/keys/offer.ts'
import type { KeysRemoveAnswer, KeysRemoveInput } from './setup/keys/remove.ts'
import type { KeysRevokeAnswer, KeysRevokeInput } from './setup/keys/revoke.ts'
import type { KeysRotateAnswer, KeysRotateInput } from './setup/keys/rotate.ts'
import type { KeysShowAnswer, KeysShowInput } from './setup/keys/show.ts'
import type { KeysTrustAnswer, KeysTrustInput } from './setup/keys/trust.ts'
import type { SkillsIndexAnswer, SkillsIndexInput } from './skills/index-skills.ts'
import type { SkillsInstallAnswer, SkillsInstallInput } from './skills/install.ts'
import type { KnowledgeScanAnswer, KnowledgeScanInput } from './skills/knowledge-scan.ts'
import type { SkillsListAnswer, SkillsListInput } from './skills/list.ts'
import type { SkillsRemoveAnswer, SkillsRemoveInput } from './skills/remove.ts'
import type { SkillsScanAnswer, SkillsScanInput } from './skills/scan.ts'
import type { SkillsSearchAnswer, SkillsSearchInput } from './skills/search.ts'
import type { SkillsSniffAnswer, SkillsSniffInput } from './skills/sniff.ts'
import type { SkillsSyncAnswer, SkillsSyncInput } from './skills/sync.ts'
import type { SkillsValidateAnswer, SkillsValidateInput } from './skills/validate.ts'
import type { AddAnswer, AddInput } from './sources/add.ts'
import type { InstallAnswer, InstallInput } from './sources/install.ts'
import type { OutdatedAnswer, OutdatedInput } from './sources/outdated.ts'
import type { RegistryPullAnswer, RegistryPullInput } from './sources/pull.ts'
import type { RemoveAnswer, RemoveInput } from './sources/remove.ts'
import type { ReviewAnswer, ReviewInput } from './sources/review.ts'
import type { UpdateAnswer, UpdateInput } from './sources/update.ts'
import type { WhyAnswer, WhyInput } from './sources/why.ts'

/** In the order in which help lists them. */
export interface Signatures {
  search: Signature<SearchInput, SearchAnswer>
  load: Signature<LoadInput, AnyLoadAnswer>
  fetch: Signature<FetchInput, FetchAnswer>
  execute: Signature<ExecuteInput, ExecuteAnswer>
  sign: Signature<SignInput, SignAnswer>
  verify: Signature<VerifyInput, VerifyAnswer>
  merge: Signature<MergeInput, MergeAnswer>
  list: Signature<ListInput, ListAnswer>
  show: Signature<ShowInput, ShowAnswer>
  parse: Signature<ParseInput, ParseAnswer>
  index: Signature<IndexInput, IndexAnswer>
  runs: Signature<RunsInput, RunsAnswer>
  init: Signature<InitInput, InitAnswer>
  new: Signature<NewInput, NewAnswer>
  edit: Signature<EditInput, EditAnswer>
  mv: Signature<MvInput, MvAnswer>
  rm: Signature<RmInput, RmAnswer>
  doctor: Signature<DoctorInput, DoctorAnswer>
  eval: Signature<EvalInput, EvalAnswer>
  add: Signature<AddInput, AddAnswer>
  install: Signature<InstallInput, InstallAnswer>
  outdated: Signature<OutdatedInput, OutdatedAnswer>
  update: Signature<UpdateInput, UpdateAnswer>
  remove: Signature<RemoveInput, RemoveAnswer>
  why: Signature<WhyInput, WhyAnswer>
  review: Signature<ReviewInput, ReviewAnswer>
  'registry search': Signature<RegistrySearchInput, RegistrySearchAnswer>
  'registry show': Signature<RegistryShowInput, RegistryShowAnswer>
  'registry pull': Signature<RegistryPullInput, RegistryPullAnswer>
  'registry publish': Signature<RegistryPublishInput, RegistryPublishAnswer>
  'registry unpublish': Signature<RegistryUnpublishInput, RegistryUnpublishAnswer>
  'keys generate': Signature<KeysGenerateInput, KeysGenerateAnswer>
  'keys show': Signature<KeysShowInput, KeysShowAnswer>
  'keys list': Signature<KeysListInput, KeysListAnswer>
  'keys trust': Signature<KeysTrustInput, KeysTrustAnswer>
  'keys offer': Signature<KeysOfferInput, KeysOfferAnswer>
  'keys export': Signature<KeysExportInput, KeysExportAnswer>
  'keys rotate': Signature<KeysRotateInput, KeysRotateAnswer>
  'keys revoke': Signature<KeysRevokeInput, KeysRevokeAnswer>
  'keys remove': Signature<KeysRemoveInput, KeysRemoveAnswer>
  'mcp add': Signature<McpAddInput, McpAddAnswer>
  'mcp list': Signature<McpListInput, McpListAnswer>
  'mcp refresh': Signature<McpRefreshInput, McpRefreshAnswer>
  'mcp remove': Signature<McpRemoveInput, McpRemoveAnswer>
  'mcp grant': Signature<McpGrantInput, McpGrantAnswer>
  'mcp grants': Signature<McpGrantsInput, McpGrantsAnswer>
  'mcp revoke': Signature<McpRevokeInput, McpRevokeAnswer>
  'mcp discover': Signature<McpDiscoverInput, McpDiscoverAnswer>
  'skills scan': Signature<SkillsScanInput, SkillsScanAnswer>
  'skills index': Signature<SkillsIndexInput, SkillsIndexAnswer>
  'skills sync': Signature<SkillsSyncInput, SkillsSyncAnswer>
  'skills search': Signature<SkillsSearchInput, SkillsSearchAnswer>
  'skills validate': Signature<SkillsValidateInput, SkillsValidateAnswer>
  'skills install': Signature<SkillsInstallInput, SkillsInstallAnswer>
  'skills list': Signature<SkillsListInput, SkillsListAnswer>
  'skills remove': Signature<SkillsRemoveInput, SkillsRemoveAnswer>
  'skills sniff': Signature<SkillsSniffInput, SkillsSniffAnswer>
  'catalogue sync': Signature<CatalogueSyncInput, CatalogueSyncAnswer>
  'catalogue search': Signature<CatalogueSearchInput, CatalogueSearchAnswer>
  'catalogue status': Signature<CatalogueStatusInput, CatalogueStatusAnswer>
  'knowledge scan': Signature<KnowledgeScanInput, KnowledgeScanAnswer>
}

export interface Signature<Input extends object, Answer extends object> {
  readonly input: Input
  readonly answer: Answer
}

export type ActionName = keyof Signatures
export type ActionInput<Name extends ActionName> = Signatures[Name]['input']
export type ActionAnswer<Name extends ActionName> = Signatures[Name]['answer']
