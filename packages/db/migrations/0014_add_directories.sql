CREATE TABLE "domains" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"domain" text NOT NULL,
	"challenge" text NOT NULL,
	"verified_at" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "domains_workspace_id_id_pk" PRIMARY KEY("workspace_id","id"),
	CONSTRAINT "domains_name" UNIQUE("workspace_id","domain")
);
--> statement-breakpoint
CREATE TABLE "identities" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"employee_id" uuid NOT NULL,
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"email" text,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"last_used_at" timestamptz(3),
	CONSTRAINT "identities_workspace_id_id_pk" PRIMARY KEY("workspace_id","id"),
	CONSTRAINT "identities_subject" UNIQUE("workspace_id","issuer","subject"),
	CONSTRAINT "identities_person" UNIQUE("workspace_id","issuer","employee_id")
);
--> statement-breakpoint
CREATE TABLE "identity_providers" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"issuer" text NOT NULL,
	"client_id" text NOT NULL,
	"client_secret" text,
	"auth_method" text NOT NULL,
	"scopes" text[] NOT NULL,
	"domains" text[] DEFAULT '{}' NOT NULL,
	"provisioning" text DEFAULT 'LINK' NOT NULL,
	"default_role_ids" uuid[] DEFAULT '{}' NOT NULL,
	"groups_claim" text,
	"group_mapping" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"trust_email" boolean DEFAULT false NOT NULL,
	"assumes_second_factor" boolean DEFAULT false NOT NULL,
	"rp_logout" boolean DEFAULT false NOT NULL,
	"session_hours" integer DEFAULT 24 NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "identity_providers_workspace_id_id_pk" PRIMARY KEY("workspace_id","id"),
	CONSTRAINT "identity_providers_slug" UNIQUE("workspace_id","slug")
);
--> statement-breakpoint
CREATE TABLE "provider_roles" (
	"workspace_id" uuid NOT NULL,
	"provider_id" uuid NOT NULL,
	"employee_id" uuid NOT NULL,
	"role_id" uuid NOT NULL,
	CONSTRAINT "provider_roles_workspace_id_employee_id_provider_id_role_id_pk" PRIMARY KEY("workspace_id","employee_id","provider_id","role_id")
);
--> statement-breakpoint
CREATE TABLE "sso_sessions" (
	"workspace_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"provider_id" uuid NOT NULL,
	"id_token" text,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	CONSTRAINT "sso_sessions_workspace_id_session_id_pk" PRIMARY KEY("workspace_id","session_id")
);
--> statement-breakpoint
CREATE TABLE "sso_states" (
	"workspace_id" uuid NOT NULL,
	"state_hash" "bytea" NOT NULL,
	"provider_id" uuid NOT NULL,
	"browser_hash" "bytea" NOT NULL,
	"nonce" text NOT NULL,
	"verifier" text NOT NULL,
	"purpose" text NOT NULL,
	"session_id" uuid,
	"employee_id" uuid,
	"next" text NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"expires_at" timestamptz(3) NOT NULL,
	CONSTRAINT "sso_states_workspace_id_state_hash_pk" PRIMARY KEY("workspace_id","state_hash")
);
--> statement-breakpoint
CREATE TABLE "scim_group_members" (
	"workspace_id" uuid NOT NULL,
	"group_id" uuid NOT NULL,
	"employee_id" uuid NOT NULL,
	CONSTRAINT "scim_group_members_workspace_id_group_id_employee_id_pk" PRIMARY KEY("workspace_id","group_id","employee_id")
);
--> statement-breakpoint
CREATE TABLE "scim_group_roles" (
	"workspace_id" uuid NOT NULL,
	"group_id" uuid NOT NULL,
	"role_id" uuid NOT NULL,
	CONSTRAINT "scim_group_roles_workspace_id_group_id_role_id_pk" PRIMARY KEY("workspace_id","group_id","role_id")
);
--> statement-breakpoint
CREATE TABLE "scim_groups" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"display_name" text NOT NULL,
	"external_id" text,
	"department_id" uuid,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	CONSTRAINT "scim_groups_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "scim_people" (
	"workspace_id" uuid NOT NULL,
	"employee_id" uuid NOT NULL,
	"external_id" text,
	"department" text,
	"display_name" text,
	"is_suspended" boolean DEFAULT false NOT NULL,
	CONSTRAINT "scim_people_workspace_id_employee_id_pk" PRIMARY KEY("workspace_id","employee_id")
);
--> statement-breakpoint
CREATE TABLE "scim_tokens" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"prefix" text NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"owner_id" uuid NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	"expires_at" timestamptz(3),
	"last_used_at" timestamptz(3),
	"last_used_address" text,
	CONSTRAINT "scim_tokens_workspace_id_id_pk" PRIMARY KEY("workspace_id","id"),
	CONSTRAINT "scim_tokens_hash" UNIQUE("workspace_id","token_hash")
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "last_used_address" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "created_by_id" uuid;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "allowed_cidrs" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "told_expires_at" timestamptz(3);--> statement-breakpoint
ALTER TABLE "employee_roles" ADD COLUMN "by_hand" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "employees" ADD COLUMN "kind" text DEFAULT 'PERSON' NOT NULL;--> statement-breakpoint
ALTER TABLE "domains" ADD CONSTRAINT "domains_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity_providers" ADD CONSTRAINT "identity_providers_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_roles" ADD CONSTRAINT "provider_roles_provider" FOREIGN KEY ("workspace_id","provider_id") REFERENCES "public"."identity_providers"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_roles" ADD CONSTRAINT "provider_roles_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_roles" ADD CONSTRAINT "provider_roles_role" FOREIGN KEY ("workspace_id","role_id") REFERENCES "public"."roles"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_sessions" ADD CONSTRAINT "sso_sessions_provider" FOREIGN KEY ("workspace_id","provider_id") REFERENCES "public"."identity_providers"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_states" ADD CONSTRAINT "sso_states_provider" FOREIGN KEY ("workspace_id","provider_id") REFERENCES "public"."identity_providers"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scim_group_members" ADD CONSTRAINT "scim_group_members_group" FOREIGN KEY ("workspace_id","group_id") REFERENCES "public"."scim_groups"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scim_group_members" ADD CONSTRAINT "scim_group_members_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scim_group_roles" ADD CONSTRAINT "scim_group_roles_group" FOREIGN KEY ("workspace_id","group_id") REFERENCES "public"."scim_groups"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scim_group_roles" ADD CONSTRAINT "scim_group_roles_role" FOREIGN KEY ("workspace_id","role_id") REFERENCES "public"."roles"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scim_groups" ADD CONSTRAINT "scim_groups_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scim_groups" ADD CONSTRAINT "scim_groups_department" FOREIGN KEY ("workspace_id","department_id") REFERENCES "public"."departments"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scim_people" ADD CONSTRAINT "scim_people_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scim_tokens" ADD CONSTRAINT "scim_tokens_owner" FOREIGN KEY ("workspace_id","owner_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "domains_owner" ON "domains" USING btree ("domain") WHERE "domains"."verified_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "identities_by_person" ON "identities" USING btree ("workspace_id","employee_id");--> statement-breakpoint
CREATE INDEX "sso_states_by_end" ON "sso_states" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "scim_group_members_by_person" ON "scim_group_members" USING btree ("workspace_id","employee_id");--> statement-breakpoint
CREATE INDEX "scim_group_roles_by_role" ON "scim_group_roles" USING btree ("workspace_id","role_id");--> statement-breakpoint
CREATE UNIQUE INDEX "scim_groups_name" ON "scim_groups" USING btree ("workspace_id",lower("display_name"));--> statement-breakpoint
CREATE INDEX "scim_groups_by_external_id" ON "scim_groups" USING btree ("workspace_id","external_id");--> statement-breakpoint
CREATE INDEX "scim_people_by_external_id" ON "scim_people" USING btree ("workspace_id","external_id");--> statement-breakpoint
CREATE INDEX "scim_tokens_by_owner" ON "scim_tokens" USING btree ("workspace_id","owner_id");