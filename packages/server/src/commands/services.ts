// The services that the operator's commands need, on the configured database. Without the API, its routes and the
// workers, which take most of a server's start (docs/adr/0005).
import { Layer } from "effect"
import { ApiKeys } from "../access/api-keys.ts"
import { Audit } from "../access/audit/audit.ts"
import { AuditStore } from "../access/audit/store.ts"
import { Installation } from "../access/installation.ts"
import { Invitations } from "../access/members/invitations.ts"
import { Members } from "../access/members/members.ts"
import { MemberStore } from "../access/members/store.ts"
import { Organizations } from "../access/organizations/organizations.ts"
import { OrganizationStore } from "../access/organizations/store.ts"
import { AccessStore } from "../access/store.ts"
import { AccessTokens } from "../access/tokens/access-tokens.ts"
import { ExternalKeys } from "../access/tokens/external-keys.ts"
import { assets } from "../assets.ts"
import type { ConfigOptions } from "../config/options.ts"
import { Copy } from "../database/copy.ts"
import { Database } from "../database/database.ts"
import { Migrations } from "../database/migrations.ts"
import { ChangesStore } from "../identification/changes/store.ts"
import { CompanyUpkeepStore } from "../identification/companies/store.ts"
import { CreditStore } from "../identification/credits/store.ts"
import { EnrichmentOfPeople } from "../identification/merging/layer.ts"
import { MergingStore } from "../identification/merging/store.ts"
import { OwnershipStore } from "../identification/ownership/store.ts"
import { KeyedLists } from "../lists/keyed-lists.ts"
import { PageBoundaries } from "../lists/page-boundaries.ts"
import { Mail } from "../outbound/mail/mail.ts"
import { ErasedPeople } from "../people/erased-people.ts"
import { DataVersions } from "../imports/data-versions.ts"
import { Imports } from "../imports/imports.ts"
import { ImportsStore } from "../imports/store.ts"
import { Links } from "../people/links/links.ts"
import { LinksStore } from "../people/links/store.ts"
import { People } from "../people/people.ts"
import { PeopleStore } from "../people/store.ts"
import { TombstoneStore } from "../people/tombstones/store.ts"
import { Tombstones } from "../people/tombstones/tombstones.ts"
import { PixelsOfOrganizations } from "../pixels/organization-standing.ts"
import { PixelStore } from "../pixels/store.ts"
import { BaseConfiguration } from "../server/base-configuration.ts"
import { SignalsElsewhere } from "../server/clickhouse.ts"
import { Keys } from "../server/sealed-values.ts"
import { CycleStore } from "../suppression/cycle/store.ts"
import { Catalog } from "../topics/catalog/catalog.ts"
import { CatalogStore } from "../topics/catalog/store.ts"
import { Kinds } from "../topics/import/kinds.ts"
import { TopicImportStore } from "../topics/import/store.ts"
import { SignalCopies } from "../topics/signals/copy/signal-copies.ts"
import { SignalImportStore } from "../topics/signals/import/store.ts"
import { StarterTopics } from "../topics/starter-topics.ts"
import { VisitorStore } from "../visitors/store.ts"
import { QuestionStore } from "../webhooks/questions/store.ts"
import { CompanyTriggerStore } from "../webhooks/triggers/company-store.ts"
import { SessionEndStore } from "../webhooks/triggers/session-end-store.ts"
import { TriggerStore } from "../webhooks/triggers/store.ts"
import { Triggers } from "../webhooks/triggers/triggers.ts"

/** Only the configured database, for commands that run before its schema or keys exist. */
export const BareDatabase = (options: ConfigOptions) =>
  Layer.provideMerge(Database.layerCommand, BaseConfiguration(options))

const Stores = Layer.mergeAll(
  AccessStore.layer,
  AuditStore.layer,
  CatalogStore.layer,
  CompanyTriggerStore.layer,
  CompanyUpkeepStore.layer,
  CreditStore.layer,
  ImportsStore.layer,
  Layer.provide(ChangesStore.layer, CycleStore.layer),
  LinksStore.layer,
  MemberStore.layer,
  MergingStore.layer,
  OrganizationStore.layer,
  OwnershipStore.layer,
  PeopleStore.layer,
  PixelStore.layer,
  QuestionStore.layer,
  SessionEndStore.layer,
  SignalImportStore.layer,
  SignalsElsewhere,
  TombstoneStore.layer,
  TopicImportStore.layer,
  TriggerStore.layer,
  VisitorStore.layer,
)

const Access = Installation.layer.pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      ApiKeys.layer,
      Layer.provide(AccessTokens.layer, ExternalKeys.layer),
      Layer.provide(Members.layer, Invitations.layer),
      Layer.provide(Organizations.layer, PixelsOfOrganizations),
    ),
  ),
  Layer.provideMerge(Audit.layer),
)

const ImportServices = Layer.mergeAll(Imports.layer, Kinds, SignalCopies.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(Links.layer, People.layer)),
  Layer.provide([Layer.provide(EnrichmentOfPeople, Triggers), ErasedPeople.layer]),
  Layer.provideMerge(Catalog.layer),
  Layer.provideMerge(Layer.merge(DataVersions.layer, Tombstones.layer)),
)

export const CommandServices = (options: ConfigOptions) =>
  StarterTopics.layer(`${assets.directory}/topics.csv`).pipe(
    Layer.provideMerge(ImportServices),
    Layer.provideMerge(Access),
    Layer.provide(
      Layer.mergeAll(Copy.layer, Mail.layer, Layer.provide(KeyedLists.layer, PageBoundaries.layer)),
    ),
    Layer.provideMerge(Stores),
    Layer.provideMerge(Keys),
    Layer.provideMerge(Layer.effectDiscard(Migrations.run)),
    Layer.provideMerge(BareDatabase(options)),
  )
