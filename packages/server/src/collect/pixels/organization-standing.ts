// What the access room needs from this one, for servers and for commands.
import { Effect, Layer } from "effect"
import { OrganizationStanding } from "../../access/organizations/organizations.ts"
import { PixelStore } from "./store.ts"

/** Pixels follow their organization's status, in the same transaction. */ // spec 4.6
export const PixelsOfOrganizations = Layer.effect(
  OrganizationStanding,
  Effect.map(PixelStore, ({ pauseAllOf, resumeAllOf }) =>
    OrganizationStanding.of({
      changed: (organizationId, standing) =>
        standing === "usable" ? resumeAllOf(organizationId) : pauseAllOf(organizationId),
    }),
  ),
)
