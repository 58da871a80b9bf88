CREATE TABLE "agent_sessions" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"employee_id" uuid NOT NULL,
	"via_type" text NOT NULL,
	"via_id" uuid NOT NULL,
	"via_name" text NOT NULL,
	"started_at" timestamptz(3) NOT NULL,
	"last_at" timestamptz(3) NOT NULL,
	"reads" integer DEFAULT 0 NOT NULL,
	"writes" integer DEFAULT 0 NOT NULL,
	"refusals" integer DEFAULT 0 NOT NULL,
	"undo_job_id" uuid,
	CONSTRAINT "agent_sessions_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "confirmations" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"state_hash" "bytea" NOT NULL,
	"employee_id" uuid NOT NULL,
	"credential_id" uuid NOT NULL,
	"request_digest" "bytea" NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"expires_at" timestamptz(3) NOT NULL,
	"decided_at" timestamptz(3),
	"used_at" timestamptz(3),
	CONSTRAINT "confirmations_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "confirm" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "result" jsonb;--> statement-breakpoint
ALTER TABLE "oauth_grants" ADD COLUMN "confirm" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "agent_sessions" ADD CONSTRAINT "agent_sessions_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "confirmations" ADD CONSTRAINT "confirmations_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agent_sessions_of_agent" ON "agent_sessions" USING btree ("workspace_id","via_id","employee_id","started_at");--> statement-breakpoint
CREATE INDEX "agent_sessions_of_person" ON "agent_sessions" USING btree ("workspace_id","employee_id","started_at");--> statement-breakpoint
CREATE INDEX "agent_sessions_by_age" ON "agent_sessions" USING btree ("last_at");--> statement-breakpoint
CREATE UNIQUE INDEX "confirmations_state" ON "confirmations" USING btree ("workspace_id","state_hash");--> statement-breakpoint
CREATE INDEX "confirmations_by_age" ON "confirmations" USING btree ("expires_at");