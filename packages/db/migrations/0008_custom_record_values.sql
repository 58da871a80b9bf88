-- The values of a custom record are kept where those of custom fields are, so that filters find them the same way.
ALTER TABLE "custom_records" DROP COLUMN "values";
--> statement-breakpoint
CREATE INDEX custom_records_custom_fields ON custom_records USING gin (custom_fields jsonb_path_ops) WHERE deleted_at IS NULL AND custom_fields <> '{}';
