CREATE TABLE "number_periods" (
	"workspace_id" uuid NOT NULL,
	"sequence_id" uuid NOT NULL,
	"period" text NOT NULL,
	"last_used" integer NOT NULL,
	CONSTRAINT "number_periods_workspace_id_sequence_id_period_pk" PRIMARY KEY("workspace_id","sequence_id","period")
);
--> statement-breakpoint
ALTER TABLE "number_periods" ADD CONSTRAINT "number_periods_sequence" FOREIGN KEY ("workspace_id","sequence_id") REFERENCES "public"."number_sequences"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "number_sequences" DROP COLUMN "last_used";