CREATE TABLE "budget_uses" (
	"workspace_id" uuid NOT NULL,
	"budget_key" text NOT NULL,
	"day" date NOT NULL,
	"writes" integer DEFAULT 0 NOT NULL,
	"deletes" integer DEFAULT 0 NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	CONSTRAINT "budget_uses_workspace_id_budget_key_day_pk" PRIMARY KEY("workspace_id","budget_key","day")
);
--> statement-breakpoint
CREATE TABLE "proposals" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"employee_id" uuid NOT NULL,
	"credential_class" text NOT NULL,
	"credential_id" uuid NOT NULL,
	"via_type" text NOT NULL,
	"via_id" uuid NOT NULL,
	"via_name" text NOT NULL,
	"operation" text NOT NULL,
	"request" jsonb NOT NULL,
	"changes" jsonb NOT NULL,
	"more" integer DEFAULT 0 NOT NULL,
	"hidden" integer DEFAULT 0 NOT NULL,
	"versions" jsonb NOT NULL,
	"entity_type" text,
	"entity_id" uuid,
	"state" text DEFAULT 'PENDING' NOT NULL,
	"code" text,
	"comment" text,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"expires_at" timestamptz(3) NOT NULL,
	"decided_at" timestamptz(3),
	"decided_by_id" uuid,
	CONSTRAINT "proposals_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "writes" text DEFAULT 'DIRECT' NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "limits" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "line_id" uuid;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "via_type" text;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "via_id" uuid;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "via_name" text;--> statement-breakpoint
ALTER TABLE "timeline" ADD COLUMN "via_type" text;--> statement-breakpoint
ALTER TABLE "timeline" ADD COLUMN "via_id" uuid;--> statement-breakpoint
ALTER TABLE "timeline" ADD COLUMN "via_name" text;--> statement-breakpoint
ALTER TABLE "oauth_grants" ADD COLUMN "writes" text DEFAULT 'DIRECT' NOT NULL;--> statement-breakpoint
ALTER TABLE "oauth_grants" ADD COLUMN "limits" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "budget_uses_by_age" ON "budget_uses" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "proposals_of_person" ON "proposals" USING btree ("workspace_id","employee_id","state","id");--> statement-breakpoint
CREATE INDEX "proposals_of_credential" ON "proposals" USING btree ("workspace_id","credential_id","state","id");--> statement-breakpoint
CREATE INDEX "proposals_open" ON "proposals" USING btree ("expires_at") WHERE "proposals"."state" = 'PENDING';