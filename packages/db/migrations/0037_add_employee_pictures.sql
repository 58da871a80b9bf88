CREATE TABLE "employee_pictures" (
	"workspace_id" uuid NOT NULL,
	"employee_id" uuid NOT NULL,
	"version" uuid NOT NULL,
	"media_type" text NOT NULL,
	"size" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	CONSTRAINT "employee_pictures_workspace_id_employee_id_pk" PRIMARY KEY("workspace_id","employee_id")
);
--> statement-breakpoint
ALTER TABLE "employee_pictures" ADD CONSTRAINT "employee_pictures_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;