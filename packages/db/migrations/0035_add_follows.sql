CREATE TABLE "follows" (
	"workspace_id" uuid NOT NULL,
	"employee_id" uuid NOT NULL,
	"entity_type" text NOT NULL,
	"entity_id" uuid NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	CONSTRAINT "follows_workspace_id_employee_id_entity_type_entity_id_pk" PRIMARY KEY("workspace_id","employee_id","entity_type","entity_id")
);
--> statement-breakpoint
ALTER TABLE "follows" ADD CONSTRAINT "follows_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "follows_of_record" ON "follows" USING btree ("workspace_id","entity_type","entity_id");