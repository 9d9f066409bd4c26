// The services that the operator's commands need, on the configured database. Without the API, its routes and the
// workers, which take most of a server's start (docs/adr/0005).
import { Layer } from "effect"
import { ApiKeys } from "../../access/api-keys.ts"
import { Audit } from "../../access/audit/audit.ts"
import { AuditStore } from "../../access/audit/store.ts"
import { Installation } from "../../access/installation.ts"
import { Invitations } from "../../access/members/invitations.ts"
import { Members } from "../../access/members/members.ts"
import { MemberStore } from "../../access/members/store.ts"
import { Organizations } from "../../access/organizations/organizations.ts"
import { OrganizationStore } from "../../access/organizations/store.ts"
import { AccessStore } from "../../access/store.ts"
import { AccessTokens } from "../../access/tokens/access-tokens.ts"
import { ExternalKeys } from "../../access/tokens/external-keys.ts"
import { assets } from "../../assets.ts"
import type { ConfigOptions } from "../config/options.ts"
import { Copy } from "../../platform/database/copy.ts"
import { Database } from "../../platform/database/database.ts"
import { Migrations } from "../../platform/database/migrations.ts"
import { ChangesStore } from "../../people/identification/changes/store.ts"
import { CompanyUpkeepStore } from "../../people/identification/companies/store.ts"
import { CreditStore } from "../../people/credits/store.ts"
import { EnrichmentOfPeople } from "../../people/identification/merging/layer.ts"
import { MergingStore } from "../../people/identification/merging/store.ts"
import { OwnershipStore } from "../../people/identification/ownership/store.ts"
import { KeyedLists } from "../../platform/lists/keyed-lists.ts"
import { Mail } from "../../platform/outbound/mail/mail.ts"
import { ErasedPeople } from "../../people/person/erased-people.ts"
import { DataVersions } from "../../people/imports/data-versions.ts"
import { Imports } from "../../people/imports/imports.ts"
import { ImportsStore } from "../../people/imports/store.ts"
import { Links } from "../../people/person/links/links.ts"
import { LinksStore } from "../../people/person/links/store.ts"
import { People } from "../../people/person/people.ts"
import { PeopleStore } from "../../people/person/store.ts"
import { TombstoneStore } from "../../people/person/tombstones/store.ts"
import { Tombstones } from "../../people/person/tombstones/tombstones.ts"
import { PixelsOfOrganizations } from "../../collect/pixels/organization-standing.ts"
import { PixelStore } from "../../collect/pixels/store.ts"
import { BaseConfiguration } from "../server/base-configuration.ts"
import { SignalsElsewhere } from "../server/clickhouse.ts"
import { Keys } from "../server/sealed-values.ts"
import { CycleStore } from "../../people/suppression/cycle/store.ts"
import { Catalog } from "../../intent/topics/catalog/catalog.ts"
import { CatalogStore } from "../../intent/topics/catalog/store.ts"
import { Kinds } from "../../intent/topics/import/kinds.ts"
import { TopicImportStore } from "../../intent/topics/import/store.ts"
import { SignalCopies } from "../../intent/signals/copy/signal-copies.ts"
import { SignalImportStore } from "../../intent/signals/import/store.ts"
import { StarterTopics } from "../../intent/topics/starter-topics.ts"
import { VisitorStore } from "../../people/visitors/store.ts"
import { QuestionStore } from "../../activation/webhooks/triggers/question-store.ts"
import { CompanyTriggerStore } from "../../activation/webhooks/triggers/company-store.ts"
import { SessionEndStore } from "../../activation/webhooks/triggers/session-end-store.ts"
import { TriggerStore } from "../../activation/webhooks/triggers/store.ts"
import { SegmentMemberStore } from "../../activation/webhooks/triggers/segment-member-store.ts"
import { Triggers } from "../../activation/webhooks/triggers/triggers.ts"

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
  SegmentMemberStore.layer,
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
    Layer.provide(Layer.mergeAll(Copy.layer, Mail.layer, KeyedLists.layer)),
    Layer.provideMerge(Stores),
    Layer.provideMerge(Keys),
    Layer.provideMerge(Layer.effectDiscard(Migrations.run)),
    Layer.provideMerge(BareDatabase(options)),
  )
