// The library for programs: open it, and call the same actions as the command line and agents.
// `docs/library.md` shows how.
export type {
  CatalogueResult,
  CatalogueSearchAnswer,
  CatalogueSearchInput,
} from './actions/catalogue/search.ts'
export type { CatalogueStatusAnswer, CatalogueStatusInput } from './actions/catalogue/status.ts'
export type { CatalogueSyncAnswer, CatalogueSyncInput } from './actions/catalogue/sync.ts'
export type { Program, Progress } from './actions/definition/action.ts'
export type { FileNote, Shadow } from './actions/definition/answer-parts.ts'
export type { Failure } from './actions/definition/failure.ts'
export type {
  DirectiveAnswer,
  DirectiveDryRun,
  ExecuteAnswer,
  KnowledgeAnswer,
  RunEvidence,
  SkillAnswer,
  ToolAnnotations,
  ToolAnswer,
  ToolDryRun,
  ToolFailure,
} from './actions/items/execute/answer.ts'
export type { ExecuteInput } from './actions/items/execute/fields.ts'
export type { FetchAnswer, FetchInput } from './actions/items/fetch.ts'
export type { ListAnswer, ListedItem, ListInput } from './actions/items/list.ts'
export type { LoadAnswer, LoadedOutput, LoadInput, LoadSummary } from './actions/items/load/fields.ts'
export type { NewAnswer, NewInput } from './actions/items/new/definition.ts'
export type { ParseAnswer, ParsedFile, ParseInput } from './actions/items/parse.ts'
export type { SearchAnswer, SearchResult } from './actions/items/search/answer.ts'
export type { SearchInput } from './actions/items/search/fields.ts'
export type { ItemContent, LastSigned, ShowAnswer, ShowInput } from './actions/items/show.ts'
export type { SignAnswer, SignedBatch, SignedItem, SignInput } from './actions/items/sign/fields.ts'
export type { VerifiedItem, VerifyAnswer, VerifyInput } from './actions/items/verify/definition.ts'
export type { EvalAnswer, EvalInput } from './actions/library/evaluate.ts'
export type { IndexAnswer, IndexInput } from './actions/library/index-library.ts'
export type { OneRun, Run, RunList, RunsAnswer, RunsInput } from './actions/library/runs.ts'
export {
  type CallOptions,
  type CallResult,
  type Library,
  type LibraryOptions,
  openLibrary,
} from './actions/open-library.ts'
export type { RegistryPublishAnswer, RegistryPublishInput } from './actions/registry/publish.ts'
export type { RegistrySearchAnswer, RegistrySearchInput } from './actions/registry/search.ts'
export type { RegistryShowAnswer, RegistryShowInput } from './actions/registry/show.ts'
export type { RegistryUnpublishAnswer, RegistryUnpublishInput } from './actions/registry/unpublish.ts'
export type { AddedServer, AddedServers, McpAddAnswer, McpAddInput } from './actions/servers/add.ts'
export type { McpDiscoverAnswer, McpDiscoverInput } from './actions/servers/discover.ts'
export type { McpGrantAnswer, McpGrantInput } from './actions/servers/grant.ts'
export type { McpGrantsAnswer, McpGrantsInput } from './actions/servers/grants.ts'
export type { McpListAnswer, McpListInput } from './actions/servers/list.ts'
export type { McpRefreshAnswer, McpRefreshInput } from './actions/servers/refresh.ts'
export type { McpRemoveAnswer, McpRemoveInput } from './actions/servers/remove.ts'
export type { McpRevokeAnswer, McpRevokeInput } from './actions/servers/revoke.ts'
export type { Check } from './actions/setup/doctor/check.ts'
export type { DoctorAnswer, DoctorInput } from './actions/setup/doctor/definition.ts'
export type { ClientSnippet } from './actions/setup/init/client-snippets.ts'
export type { InitAnswer, InitInput } from './actions/setup/init/fields.ts'
export type { KeysExportAnswer, KeysExportInput } from './actions/setup/keys/export.ts'
export type { KeysGenerateAnswer, KeysGenerateInput } from './actions/setup/keys/generate.ts'
export type { KeysListAnswer, KeysListInput } from './actions/setup/keys/list.ts'
export type { KeysOfferAnswer, KeysOfferInput } from './actions/setup/keys/offer.ts'
export type { KeysRemoveAnswer, KeysRemoveInput } from './actions/setup/keys/remove.ts'
export type { KeysRevokeAnswer, KeysRevokeInput } from './actions/setup/keys/revoke.ts'
export type { KeysRotateAnswer, KeysRotateInput } from './actions/setup/keys/rotate.ts'
export type { KeysShowAnswer, KeysShowInput } from './actions/setup/keys/show.ts'
export type { KeysTrustAnswer, KeysTrustInput } from './actions/setup/keys/trust.ts'
export type { ActionAnswer, ActionInput, ActionName, Signatures } from './actions/signatures.ts'
export type { SkillsIndexAnswer, SkillsIndexInput } from './actions/skills/index-skills.ts'
export type { SkillsInstallAnswer, SkillsInstallInput } from './actions/skills/install.ts'
export type { KnowledgeScanAnswer, KnowledgeScanInput } from './actions/skills/knowledge-scan.ts'
export type { SkillsScanAnswer, SkillsScanInput } from './actions/skills/scan.ts'
export type { SkillsSearchAnswer, SkillsSearchInput } from './actions/skills/search.ts'
export type { SkillsSyncAnswer, SkillsSyncInput } from './actions/skills/sync.ts'
export type { SkillsValidateAnswer, SkillsValidateInput } from './actions/skills/validate.ts'
export type { AddAnswer, AddedItems, AddInput, ListedSource } from './actions/sources/add.ts'
export type { BroughtItem } from './actions/sources/answer.ts'
export type { ItemChange } from './actions/sources/describe-change.ts'
export type { InstallAnswer, InstallInput } from './actions/sources/install.ts'
export type { OutdatedAnswer, OutdatedInput } from './actions/sources/outdated.ts'
export type { RegistryPullAnswer, RegistryPullInput } from './actions/sources/pull.ts'
export type { RemoveAnswer, RemoveInput } from './actions/sources/remove.ts'
export type { ReviewAnswer, ReviewInput } from './actions/sources/review.ts'
export type { UpdateAnswer, UpdateInput } from './actions/sources/update.ts'
export type { WhyAnswer, WhyInput } from './actions/sources/why.ts'
export { AppError, type Caller, type Diagnostic, type ErrorCode, VERSION } from './base/index.ts'
export type { TrustBounds, Verdict } from './trust/index.ts'
export type { SignedCopy } from './user/index.ts'
