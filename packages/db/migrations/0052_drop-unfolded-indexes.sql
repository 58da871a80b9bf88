-- contract
-- The indexes with _folded in their names took their places.
DROP INDEX "booking_links_slug";
--> statement-breakpoint
DROP INDEX "product_attribute_groups_name";
--> statement-breakpoint
DROP INDEX "product_attribute_values_name";
--> statement-breakpoint
DROP INDEX "product_attributes_code";
--> statement-breakpoint
DROP INDEX "product_categories_name";
--> statement-breakpoint
DROP INDEX "product_tags_name";
--> statement-breakpoint
DROP INDEX "products_sku";
--> statement-breakpoint
DROP INDEX "tax_rates_name";
--> statement-breakpoint
DROP INDEX "units_name";
--> statement-breakpoint
DROP INDEX "channels_name";
--> statement-breakpoint
DROP INDEX "employees_email";
--> statement-breakpoint
DROP INDEX "roles_name";
--> statement-breakpoint
DROP INDEX "companies_by_name";
--> statement-breakpoint
DROP INDEX "companies_by_domain";
--> statement-breakpoint
DROP INDEX "contacts_by_email";
--> statement-breakpoint
DROP INDEX "lead_sources_name";
--> statement-breakpoint
DROP INDEX "leads_by_email";
--> statement-breakpoint
DROP INDEX "pipelines_name";
--> statement-breakpoint
DROP INDEX "stages_name";
--> statement-breakpoint
DROP INDEX "number_sequences_name";
--> statement-breakpoint
DROP INDEX "industries_name";
--> statement-breakpoint
DROP INDEX "invitations_pending";
