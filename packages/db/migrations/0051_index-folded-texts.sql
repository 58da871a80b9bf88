CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "booking_links_slug_folded" ON "booking_links" USING btree ("workspace_id",lower("slug" COLLATE "C"));
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "product_attribute_groups_name_folded" ON "product_attribute_groups" USING btree ("workspace_id",crm_fold("name")) WHERE not "product_attribute_groups"."is_twin";
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "product_attribute_values_name_folded" ON "product_attribute_values" USING btree ("workspace_id","attribute_id",crm_fold("name")) WHERE not "product_attribute_values"."is_twin";
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "product_attributes_code_folded" ON "product_attributes" USING btree ("workspace_id",lower("code" COLLATE "C"));
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "product_categories_name_folded" ON "product_categories" USING btree ("workspace_id",coalesce("parent_id", '00000000-0000-0000-0000-000000000000'),crm_fold("name")) WHERE not "product_categories"."is_twin";
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "product_tags_name_folded" ON "product_tags" USING btree ("workspace_id",crm_fold("name")) WHERE not "product_tags"."is_twin";
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "products_in_order" ON "products" USING btree ("workspace_id","name" COLLATE "crm_names","id") WHERE "products"."deleted_at" is null;
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "products_sku_folded" ON "products" USING btree ("workspace_id",crm_fold("sku")) WHERE "products"."deleted_at" is null and not "products"."is_twin";
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "tax_rates_name_folded" ON "tax_rates" USING btree ("workspace_id",crm_fold("name")) WHERE not "tax_rates"."is_twin";
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "units_name_folded" ON "units" USING btree ("workspace_id",crm_fold("name")) WHERE not "units"."is_twin";
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "channels_name_folded" ON "channels" USING btree ("workspace_id",crm_fold("name")) WHERE not "channels"."is_twin";
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "employees_email_folded" ON "employees" USING btree ("workspace_id",lower("email" COLLATE "C"));
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "roles_name_folded" ON "roles" USING btree ("workspace_id",crm_fold("name")) WHERE not "roles"."is_twin";
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "companies_in_order" ON "companies" USING btree ("workspace_id","name" COLLATE "crm_names","id") WHERE "companies"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "companies_by_name_folded" ON "companies" USING btree ("workspace_id",crm_fold("name"));
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "companies_by_domain_folded" ON "companies" USING btree ("workspace_id",lower("domain" COLLATE "C"));
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "contacts_in_order" ON "contacts" USING btree ("workspace_id","last_name" COLLATE "crm_names","id") WHERE "contacts"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "contacts_by_email_folded" ON "contacts" USING btree ("workspace_id",lower("email" COLLATE "C"));
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "deals_in_order" ON "deals" USING btree ("workspace_id","name" COLLATE "crm_names","id") WHERE "deals"."deleted_at" is null;
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "lead_sources_name_folded" ON "lead_sources" USING btree ("workspace_id",crm_fold("name")) WHERE not "lead_sources"."is_twin";
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "leads_by_email_folded" ON "leads" USING btree ("workspace_id",lower("email" COLLATE "C")) WHERE "leads"."deleted_at" is null and "leads"."email" is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "pipelines_name_folded" ON "pipelines" USING btree ("workspace_id","entity_type",crm_fold("name")) WHERE not "pipelines"."is_twin";
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "stages_name_folded" ON "stages" USING btree ("workspace_id","pipeline_id",crm_fold("name")) WHERE not "stages"."is_twin";
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "number_sequences_name_folded" ON "number_sequences" USING btree ("workspace_id","entity_type",crm_fold("name")) WHERE not "number_sequences"."is_twin";
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "industries_name_folded" ON "industries" USING btree ("workspace_id",crm_fold("name")) WHERE not "industries"."is_twin";
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "invitations_pending_folded" ON "invitations" USING btree ("workspace_id",lower("email" COLLATE "C")) WHERE "invitations"."status" = 'PENDING';
