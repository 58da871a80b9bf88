CREATE TABLE "agent_acts" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"employee_id" uuid NOT NULL,
	"via_id" uuid NOT NULL,
	"entity_type" text NOT NULL,
	"entity_id" uuid NOT NULL,
	"told" text NOT NULL,
	"title" text,
	"at" timestamptz(3) NOT NULL,
	CONSTRAINT "agent_acts_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
ALTER TABLE "agent_acts" ADD CONSTRAINT "agent_acts_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agent_acts_of_agent" ON "agent_acts" USING btree ("workspace_id","via_id","at");--> statement-breakpoint
CREATE INDEX "agent_acts_by_age" ON "agent_acts" USING btree ("at");